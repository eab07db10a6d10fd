package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of this machine to its end, within a minute. */
public record Tool(int exit, String output, String errors) {

    public static Tool run(String... command) {
        return run(Map.of(), List.of(command));
    }

    /** Runs a script of sh, with these arguments, whose mounts nothing else sees. */
    static Tool withMounts(String script, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("unshare", "--mount", "--propagation", "private", "sh", "-eu", "-c", script, "sh"));
        command.addAll(List.of(arguments));
        return run(Map.of(), command);
    }

    public static Tool run(Map<String, String> environment, List<String> command) {
        try {
            Path output = Files.createTempFile("tool", ".out");
            Path errors = Files.createTempFile("tool", ".err");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()))
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile());
                builder.environment().putAll(environment);
                builder.environment().put("LC_ALL", "C.UTF-8");
                Process process = builder.start();
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(command + " did not end within a minute");
                }
                return new Tool(process.exitValue(), read(output), read(errors));
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + command + " ran", e);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** The standard output of a program that ended well. */
    public String orThrow() {
        assertThat(exit).as("exit status; standard error was: %s", errors).isZero();
        return output;
    }
}
