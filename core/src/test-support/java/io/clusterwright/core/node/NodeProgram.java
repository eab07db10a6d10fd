package io.clusterwright.core.node;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A program for Node.js among a test's resources. What it needs is installed by npm below {@code target} on first use, exactly as
 * its {@code package-lock.json} says, without running scripts of packages.
 */
public final class NodeProgram {
    private static final long PATIENCE_SECONDS = 240;

    private final Path home;
    private final Class<?> beside;
    private final String script;

    /**
     * @param home the name of its folder below {@code target}
     * @param beside the resources of this class are {@code package.json}, {@code package-lock.json} and the script
     * @param script the file's name
     */
    public NodeProgram(String home, Class<?> beside, String script) {
        this.home = Path.of("target", home).toAbsolutePath();
        this.beside = beside;
        this.script = script;
    }

    /**
     * Runs it.
     *
     * @param options of Node.js itself
     * @return its standard output
     * @throws AssertionError when it or npm failed; with what was said on standard error
     */
    public byte[] run(byte[] input, List<String> options, String... arguments) {
        try {
            Files.createDirectories(home);
            // Another test JVM may be doing the same; in this one, a lock lasts until its channel is closed.
            synchronized (NodeProgram.class) {
                try (FileChannel lock = FileChannel.open(home.resolve("lock"), CREATE, WRITE)) {
                    lock.lock();
                    install();
                    List<String> command = new ArrayList<>(List.of("node"));
                    command.addAll(options);
                    command.add(script);
                    command.addAll(List.of(arguments));
                    return Files.readAllBytes(run(Files.write(home.resolve("in"), input), command));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void install() throws IOException {
        Path lock = home.resolve("package-lock.json");
        boolean there = Files.exists(home.resolve("installed"))
                && Files.mismatch(lock, copied("package-lock.json", "wanted.json")) == -1;
        copied(script, script);
        if (!there) {
            copied("package.json", "package.json");
            copied("package-lock.json", "package-lock.json");
            run(
                    Path.of("/dev/null"),
                    List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"));
            Files.write(home.resolve("installed"), new byte[0]);
        }
    }

    private Path copied(String resource, String name) throws IOException {
        Path to = home.resolve(name);
        try (InputStream in = beside.getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in, resource), to, StandardCopyOption.REPLACE_EXISTING);
        }
        return to;
    }

    private Path run(Path input, List<String> command) throws IOException {
        Path out = home.resolve("out");
        Path errors = home.resolve("err");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectInput(input.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!ended || process.exitValue() != 0) {
                String how = ended ? "ended with " + process.exitValue() : "ran for more than " + PATIENCE_SECONDS + " s";
                throw new AssertionError(command + " in " + home + " " + how + ": " + Files.readString(errors));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command, e);
        } finally {
            process.destroyForcibly();
        }
        return out;
    }
}
