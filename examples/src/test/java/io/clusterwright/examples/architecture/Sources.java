package io.clusterwright.examples.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The source files of the whole repository, without what a build writes. */
final class Sources {
    private static final Path ROOT = Path.of("..");
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", "bin", "build");

    private Sources() {}

    /** The Java files of main code, every module. */
    static List<Path> main() throws IOException {
        return files(".java").stream()
                .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
                .toList();
    }

    /** The Java files of tests, every module. */
    static List<Path> tests() throws IOException {
        return files(".java").stream()
                .filter(file -> file.toString().replace('\\', '/').contains("/src/test/java/"))
                .toList();
    }

    /** The pages of documentation. */
    static List<Path> pages() throws IOException {
        return files(".md");
    }

    static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    /** The name of the type that a Java file is named after. */
    static String typeName(Path file) {
        return String.valueOf(file.getFileName()).replace(".java", "");
    }

    private static List<Path> files(String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = String.valueOf(folder.getFileName());
                boolean skipped = SKIPPED.contains(name) || (name.startsWith(".") && !folder.equals(ROOT));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(suffix)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(found);
        return found;
    }
}
