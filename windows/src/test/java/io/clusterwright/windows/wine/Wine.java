package io.clusterwright.windows.wine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Windows programs on this machine: built by mingw-w64, run by wine in a place of its own below {@code target}.
 *
 * <p>{@link WineExtension} makes one for all tests of a run.
 */
public final class Wine implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/wine");
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu/wine/x86_64-windows");
    private static final long PATIENCE_SECONDS = 120;

    private final Path home;

    private Wine(Path home) {
        this.home = home;
    }

    static Wine start() throws IOException {
        assertThat(PROGRAMS.resolve("wine64"))
                .as("wine64; .ci/install-test-packages installs it")
                .exists();
        Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
        Wine wine = new Wine(Files.createTempDirectory(target, "wine-"));
        wine.prepare();
        return wine;
    }

    /** Links to the libraries in place of the 700 MB of copies that wine would make, and no installation. */
    private void prepare() throws IOException {
        Path windows = Files.createDirectories(prefix().resolve("drive_c/windows/system32"));
        try (Stream<Path> libraries = Files.list(LIBRARIES)) {
            for (Path library : libraries.toList()) {
                Files.createSymbolicLink(windows.resolve(library.getFileName()), library);
            }
        }
        Path devices = Files.createDirectories(prefix().resolve("dosdevices"));
        Files.createSymbolicLink(devices.resolve("c:"), Path.of("../drive_c"));
        Files.createSymbolicLink(devices.resolve("z:"), Path.of("/"));
        Files.writeString(prefix().resolve(".update-timestamp"), "disable\n");
        Files.writeString(prefix().resolve("system.reg"), "WINE REGISTRY Version 2\n#arch=win64\n");
    }

    private Path prefix() {
        return home.resolve("prefix");
    }

    /** A folder for files that programs read and write; it is the current one of every program. */
    public Path folder() throws IOException {
        return Files.createDirectories(home.resolve("work"));
    }

    /** Builds a C program that lies beside the tests, once. */
    public Path build(String source) throws IOException {
        Path program = folder().resolve(source.replaceFirst("\\.c$", ".exe"));
        if (!Files.exists(program)) {
            Path code = folder().resolve(source);
            try (InputStream in = Wine.class.getResourceAsStream(source)) {
                Files.copy(java.util.Objects.requireNonNull(in, source), code);
            }
            List<String> build = List.of(
                    "x86_64-w64-mingw32-gcc",
                    "-municode",
                    "-O1",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-o",
                    program.toString(),
                    code.toString());
            assertThat(run(build, Map.of())).as("exit status of " + build).isZero();
        }
        return program;
    }

    /** Runs a program in these variables and gives its exit status; what it reads from its input never comes and never ends. */
    public int run(Path program, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = command(program.toString());
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    /** The start of a command line that runs a Windows program. */
    public List<String> command(String program) {
        return new ArrayList<>(List.of(PROGRAMS.resolve("wine64").toString(), program));
    }

    /** The variables that wine needs. */
    public Map<String, String> environment() {
        // Without its .NET and its browser it asks for neither; without a display it opens none. Its server never
        // removes its temporary folder.
        return Map.of(
                "WINEPREFIX", prefix().toString(),
                "TMPDIR", home.toString(),
                "WINEDEBUG", "-all",
                "WINEDLLOVERRIDES", "mscoree,mshtml=",
                "DISPLAY", "");
    }

    /** Ends what runs in this place, and removes it. */
    @Override
    public void close() throws IOException {
        // It says no when none of its programs is left to end.
        run(List.of(PROGRAMS.resolve("wineserver64").toString(), "-k"), Map.of());
        run(List.of(PROGRAMS.resolve("wineserver64").toString(), "-w"), Map.of());
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What the last program wrote. */
    String said() throws IOException {
        return text(output());
    }

    private Path output() {
        return home.resolve("output");
    }

    private int run(List<String> command, Map<String, String> environment) throws IOException {
        Path output = output();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end within " + PATIENCE_SECONDS + " s: " + text(output));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command, e);
        }
        return process.exitValue();
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
