package io.clusterwright.windows.powershell;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Reads scripts with tree-sitter's grammar of PowerShell, which npm installs below {@code target} on first use. */
public final class PowerShellGrammar {
    private static final Path HOME = Path.of("target", "powershell-grammar").toAbsolutePath();
    private static final long PATIENCE_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    private PowerShellGrammar() {}

    /** What each of these scripts holds. */
    public static List<ParsedScript> read(List<String> scripts) {
        try {
            Files.createDirectories(HOME);
            // Another test JVM may be doing the same.
            try (FileChannel lock = FileChannel.open(HOME.resolve("lock"), CREATE, WRITE)) {
                lock.lock();
                return readAlone(scripts);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized List<ParsedScript> readAlone(List<String> scripts) throws IOException {
        install();
        Path in = Files.write(HOME.resolve("in.json"), JSON.writeValueAsBytes(scripts));
        // The optimising compiler of WebAssembly takes seconds for the grammar and saves nothing on so little text.
        Path out = run(in, "node", "--liftoff-only", "read.mjs");
        return Arrays.asList(JSON.readValue(out.toFile(), ParsedScript[].class));
    }

    private static void install() throws IOException {
        Path lock = HOME.resolve("package-lock.json");
        boolean there = Files.exists(HOME.resolve("installed"))
                && Files.mismatch(lock, copied("package-lock.json", "wanted.json")) == -1;
        copied("read.mjs", "read.mjs");
        if (!there) {
            copied("package.json", "package.json");
            copied("package-lock.json", "package-lock.json");
            run(Path.of("/dev/null"), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
            Files.write(HOME.resolve("installed"), new byte[0]);
        }
    }

    private static Path copied(String resource, String name) throws IOException {
        Path to = Files.createDirectories(HOME).resolve(name);
        try (InputStream in = PowerShellGrammar.class.getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in, resource), to, StandardCopyOption.REPLACE_EXISTING);
        }
        return to;
    }

    private static Path run(Path input, String... command) throws IOException {
        Path out = HOME.resolve("out");
        Path errors = HOME.resolve("err");
        Process process = new ProcessBuilder(command)
                .directory(HOME.toFile())
                .redirectInput(input.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError(List.of(command) + " failed in " + HOME + ": " + Files.readString(errors));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + List.of(command), e);
        }
        return out;
    }
}
