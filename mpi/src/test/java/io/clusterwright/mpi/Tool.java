package io.clusterwright.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program of this system, run to its end. */
record Tool(int status, String output) {

    static Tool run(List<String> argv) {
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Tool(process.waitFor(), output);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(argv.get(0) + " could not be run", e);
        }
    }
}
