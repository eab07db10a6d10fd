package io.clusterwright.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A program of this system, run to its end. */
public record Tool(int status, String output) {

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
