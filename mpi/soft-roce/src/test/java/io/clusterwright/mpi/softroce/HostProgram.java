package io.clusterwright.mpi.softroce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The scripts of the guest that run on this machine. */
final class HostProgram {
    private static final Path SCRIPTS = Path.of("guest").toAbsolutePath();

    private HostProgram() {}

    static List<String> command(String script, List<String> arguments) {
        Path path = SCRIPTS.resolve(script);
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException("there is no program " + path + "; run this with Maven");
        }
        List<String> argv = new ArrayList<>(List.of(path.toString()));
        argv.addAll(arguments);
        return argv;
    }

    /** Runs a script to its end. */
    static void run(String script, Duration limit, String... arguments) throws IOException {
        Path output = Files.createTempFile("clusterwright-" + script, ".log");
        try {
            Process process = new ProcessBuilder(command(script, List.of(arguments)))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            if (!ended || process.exitValue() != 0) {
                throw new IOException(script + (ended ? " failed" : " did not end within " + limit.toSeconds() + " s")
                        + "; .ci/install-test-packages soft-roce installs what it uses:\n"
                        + Files.readString(output, StandardCharsets.ISO_8859_1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + script, e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
