package io.clusterwright.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A program of this system, run to its end. */
public record Tool(int status, String output) {
    private static final int BY_SIGPIPE = 128 + 13;

    /** As {@link #run}, once more where Hydra died, with a part of the output or without a word, as it does rarely (docs/mpi-launch.md). */
    public static Tool runHydra(List<String> argv) {
        Tool first = run(argv);
        return first.status() == BY_SIGPIPE || first.output().isEmpty() ? run(argv) : first;
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
