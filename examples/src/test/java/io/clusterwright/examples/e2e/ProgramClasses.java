package io.clusterwright.examples.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The class path of the tests in jars, and the archive of classes that the start scripts would make of them: the programs of tests start as
 * those of users do, in half of the time. Made by the first JVM that needs it.
 *
 * @param flags of the JVM
 * @param path the class path
 */
record ProgramClasses(List<String> flags, String path) {
    private static final Path FOLDER = Machine.EXAMPLES.resolve("target/e2e");
    private static final String MADE = "made";
    private static final ProgramClasses OWN = find();

    static ProgramClasses own() {
        return OWN;
    }

    private static ProgramClasses find() {
        try {
            Files.createDirectories(FOLDER.getParent());
            try (FileChannel channel = FileChannel.open(
                            FOLDER.resolveSibling("e2e.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                String origin = origin();
                Path made = FOLDER.resolve(MADE);
                if (!lock.isValid()
                        || !Files.exists(made)
                        || !Files.readString(made).equals(origin)) {
                    Machine.deleteTree(Files.createDirectories(FOLDER));
                    make();
                    Files.writeString(made, origin);
                }
                return read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists);
    }

    /** What the jars are made of: other content makes other jars, and not the time at which the same was packed again. */
    private static String origin() throws IOException {
        StringBuilder origin = new StringBuilder();
        for (Path entry : entries().toList()) {
            CRC32 sum = new CRC32();
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    sum.update(file.toString().getBytes(StandardCharsets.UTF_8));
                    sum.update(Files.readAllBytes(file));
                }
            }
            origin.append(entry).append(' ').append(sum.getValue()).append('\n');
        }
        return origin.toString();
    }

    private static void make() throws IOException {
        Path lib = Files.createDirectories(FOLDER.resolve("target/lib"));
        int folders = 0;
        for (Path entry : entries().toList()) {
            if (Files.isRegularFile(entry)) {
                Files.createSymbolicLink(lib.resolve(entry.getFileName()), entry.toAbsolutePath());
            } else if (entry.toAbsolutePath().equals(Machine.EXAMPLES.resolve("target/classes"))) {
                FolderJar.pack(entry, FOLDER.resolve("target/clusterwright-examples-tests.jar"));
            } else {
                FolderJar.pack(entry, lib.resolve("classes-" + folders++ + ".jar"));
            }
        }
        Files.createSymbolicLink(FOLDER.resolve("specs"), Machine.EXAMPLES.resolve("specs"));
        bash("keep_classes");
    }

    private static ProgramClasses read() throws IOException {
        List<String> lines = new ArrayList<>(bash(
                "find_classes; if [[ -e $archive ]]; then use_archive; fi; printf '%s\\n' \"$path\" \"${flags[@]}\""));
        String path = lines.remove(0);
        return new ProgramClasses(lines, path);
    }

    /** Runs functions of the start scripts. */
    private static List<String> bash(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                "bash", "-euc", "here=$1; . \"$2\"; " + script, "bash", FOLDER.toString(), script().toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Program.Ended ended = new Program(builder, "").end();
        if (ended.status() != 0) {
            throw new AssertionError("the classes of the programs are not made: " + ended);
        }
        return ended.stdout().lines().toList();
    }

    private static Path script() {
        return Machine.EXAMPLES.resolve("src/main/scripts/java.sh");
    }
}
