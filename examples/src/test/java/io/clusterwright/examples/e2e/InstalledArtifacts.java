package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Local Maven repositories with our artifacts, which the README's command made from a copy of the sources; before it, the repository had none
 * of them. The artifacts are kept below {@code target} for other test classes, and made again when a source changed.
 */
final class InstalledArtifacts {
    private static final Path CHECKOUT = Machine.EXAMPLES.getParent();
    private static final Path KEPT = Machine.EXAMPLES.resolve("target/installed");
    private static final Path ARTIFACTS = KEPT.resolve("clusterwright");
    private static final Path STAMP = KEPT.resolve("sources.txt");
    private static final Path OURS = Path.of("io/clusterwright");

    private final Path repository;

    private InstalledArtifacts(Path repository) {
        this.repository = repository;
    }

    /** In a repository that is made in this folder; other threads and JVMs wait while the artifacts are made. */
    static synchronized InstalledArtifacts in(Path folder) throws IOException {
        Files.createDirectories(KEPT);
        try (FileChannel file =
                        FileChannel.open(KEPT.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            String sources = sources();
            if (!Files.exists(STAMP) || !Files.readString(STAMP).equals(sources)) {
                Files.deleteIfExists(STAMP);
                install(folder);
                Files.writeString(STAMP, sources);
            }
        }
        Path repository = repositoryWithoutOurs(folder.resolve("repository"));
        walk(ARTIFACTS, none -> false, file -> {
            Files.copy(file, parent(repository.resolve(OURS).resolve(ARTIFACTS.relativize(file))));
        });
        return new InstalledArtifacts(repository);
    }

    private static void install(Path folder) throws IOException {
        Path copy = folder.resolve("checkout");
        walkSources(file ->
                Files.copy(file, parent(copy.resolve(CHECKOUT.relativize(file))), StandardCopyOption.COPY_ATTRIBUTES));
        InstalledArtifacts made = new InstalledArtifacts(repositoryWithoutOurs(folder.resolve("first")));
        Path ours = made.repository.resolve(OURS);
        assertThat(ours).doesNotExist();

        made.maven(copy, Readme.installCommand());

        assertThat(ours.resolve("clusterwright-bom")).isDirectory();
        Machine.deleteTree(ARTIFACTS);
        walk(ours, none -> false, file -> Files.copy(file, parent(ARTIFACTS.resolve(ours.relativize(file)))));
    }

    Path repository() {
        return repository;
    }

    /** Runs Maven, and fails when it fails. */
    void maven(Path folder, String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.add("-Dmaven.repo.local=" + repository);
        Program.Ended ended = new Program(new ProcessBuilder(words).directory(folder.toFile()), "").end();
        assertThat(ended.status()).as(ended.toString()).isZero();
    }

    /** Of the version that our build uses: it is in the local repository. */
    static String plugin(String name) throws IOException {
        Matcher version = Pattern.compile("<" + name + "[.]version>(.*)</")
                .matcher(Files.readString(CHECKOUT.resolve("pom.xml")));
        assertThat(version.find()).as(name).isTrue();
        return "org.apache.maven.plugins:" + name + ":" + version.group(1);
    }

    /** Surefire names it. */
    private static Path localRepository() {
        String standard = System.getProperty("user.home") + "/.m2/repository";
        return Path.of(System.getProperty("localRepository", standard));
    }

    /** What the local repository has of others. Shares the files that Maven never changes. */
    private static Path repositoryWithoutOurs(Path to) throws IOException {
        Path from = localRepository();
        walk(from, folder -> folder.equals(from.resolve(OURS)), file -> {
            Path copy = parent(to.resolve(from.relativize(file)));
            if (file.toString().endsWith(".jar") || file.toString().endsWith(".pom")) {
                try {
                    Files.createLink(copy, file);
                    return;
                } catch (IOException e) {
                    // Another file system, or one without links.
                }
            }
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        });
        return to;
    }

    /** The name, size and time of each source. */
    private static String sources() throws IOException {
        StringBuilder lines = new StringBuilder();
        walkSources(file -> lines.append(CHECKOUT.relativize(file))
                .append(' ')
                .append(Files.size(file))
                .append(' ')
                .append(Files.getLastModifiedTime(file))
                .append('\n'));
        return lines.toString();
    }

    private static void walkSources(Visit visit) throws IOException {
        List<String> left = List.of(".git", "target");
        walk(CHECKOUT, folder -> left.contains(folder.getFileName().toString()), visit);
    }

    private static Path parent(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return file;
    }

    private static void walk(Path root, Predicate<Path> left, Visit visit) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return left.test(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                visit.of(file);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private interface Visit {
        void of(Path file) throws IOException;
    }
}
