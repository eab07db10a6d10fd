package io.clusterwright.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A program of this system, run to its end. */
public record Tool(int status, String output) {
    private static final int BY_SIGPIPE = 128 + 13;

    private static final int TIMES = 5;
    private static final long PAUSE_MILLIS = 300;

    /**
     * As {@link #run}, up to five times where Hydra died, with a part of the output or without a word, as it does rarely (docs/evidence/mpi-notes.md). Its
     * cause may last for a moment: it has died twice in a row.
     */
    public static Tool runHydra(List<String> argv) {
        Tool last = run(argv);
        for (int i = 1;
                i < TIMES && (last.status() == BY_SIGPIPE || last.output().isEmpty());
                i++) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted between two runs of " + argv.get(0), e);
            }
            last = run(argv);
        }
        return last;
    }

    public static Tool run(List<String> argv) {
        try {
            // Not a pipe that ends: Hydra can die of SIGPIPE when its own end comes late.
            Process process = new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Tool(process.waitFor(), output);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(argv.get(0) + " could not be run", e);
        }
    }
}
