package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Does what the README says, in a copy of the sources and with a local repository without any of our artifacts. */
@Tag("journey")
class ReadmeProgramTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-readme", 91, 2);
    private static final Path CHECKOUT = Machine.EXAMPLES.getParent();
    private static final Pattern JOB = Pattern.compile("MpiJob[.]of[(][^()]*[)]");

    @TempDir
    private static Path shared;

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @BeforeAll
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    static void installs() throws IOException {
        copyRepository(localRepository(), repository());
        copySources(shared.resolve("checkout"));
        assertThat(repository().resolve("io/clusterwright")).doesNotExist();

        succeeds(shared.resolve("checkout"), Readme.installCommand());

        assertThat(repository().resolve("io/clusterwright/clusterwright-bom")).isDirectory();
    }

    @Test
    void resolvesTheDependenciesAndCompilesTheProgram() throws IOException {
        List<String> classPath = compile("First", Readme.program("First", CLUSTER));

        assertThat(classPath).anyMatch(entry -> entry.endsWith("/target/classes"));
        assertThat(classPath)
                .anyMatch(entry -> entry.startsWith(repository() + "/io/clusterwright/clusterwright-mpi/"));
    }

    @Test
    void runsTheProgramAndLeavesNoCluster() throws IOException {
        Program.Ended ran = run("First", Readme.program("First", CLUSTER));

        assertThat(ran.status()).as(ran.toString()).isZero();
        assertThat(ran.stdout()).contains(CLUSTER.name() + "1", CLUSTER.name() + "2", "true");
        assertNothingIsLeft();
    }

    @Test
    void leavesNoClusterWhenTheJobCannotStart() throws IOException {
        String program = JOB.matcher(Readme.program("CannotStart", CLUSTER))
                .replaceFirst("$0.flavour(io.clusterwright.core.spec.MpiFlavour.INTEL_MPI)");

        Program.Ended ran = run("CannotStart", program);

        assertThat(ran.status()).as(ran.toString()).isEqualTo(1);
        assertThat(ran.stderr()).contains("MpiNotFoundException");
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()).facts()).isEmpty();
    }

    /** Compiles a program and runs it as any JVM does. */
    private Program.Ended run(String className, String program) throws IOException {
        String classPath = String.join(":", compile(className, program));
        return machine.run(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-cp", classPath, className));
    }

    /** Compiles a program in a project with the dependencies of the README, and returns the class path that Maven finds for it. */
    private List<String> compile(String className, String program) throws IOException {
        Path project = Files.createDirectory(machine.folder().resolve(className));
        Files.writeString(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>org.example</groupId>
                  <artifactId>first</artifactId>
                  <version>1</version>
                %s
                </project>
                """.formatted(Readme.dependencies()));
        Path sources = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(sources.resolve(className + ".java"), program);
        succeeds(
                project,
                "mvn -B -ntp " + plugin("maven-compiler-plugin") + ":compile " + plugin("maven-dependency-plugin")
                        + ":build-classpath -Dmdep.outputFile=class.path");
        List<String> classPath =
                new ArrayList<>(List.of(project.resolve("target/classes").toString()));
        classPath.addAll(
                List.of(Files.readString(project.resolve("class.path")).strip().split(":")));
        return classPath;
    }

    /** Of the version that our build uses: it is in the local repository. */
    private static String plugin(String name) throws IOException {
        Matcher version = Pattern.compile("<" + name + "[.]version>(.*)</")
                .matcher(Files.readString(CHECKOUT.resolve("pom.xml")));
        assertThat(version.find()).as(name).isTrue();
        return "org.apache.maven.plugins:" + name + ":" + version.group(1);
    }

    private static void succeeds(Path folder, String maven) {
        List<String> command = new ArrayList<>(List.of(maven.split(" ")));
        command.add("-Dmaven.repo.local=" + repository());
        Program.Ended ended = new Program(new ProcessBuilder(command).directory(folder.toFile()), "").end();
        assertThat(ended.status()).as(ended.toString()).isZero();
    }

    /** Surefire names it. */
    private static Path localRepository() {
        String standard = System.getProperty("user.home") + "/.m2/repository";
        return Path.of(System.getProperty("localRepository", standard));
    }

    private static Path repository() {
        return shared.resolve("repository");
    }

    /** Without our artifacts. Shares the files that Maven never changes. */
    private static void copyRepository(Path from, Path to) throws IOException {
        copy(from, to, folder -> folder.equals(from.resolve("io/clusterwright")), (file, copy) -> {
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
    }

    /** As they are checked out. */
    private static void copySources(Path to) throws IOException {
        List<String> left = List.of(".git", "target");
        copy(
                CHECKOUT,
                to,
                folder -> left.contains(folder.getFileName().toString()),
                (file, copy) -> Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES));
    }

    private static void copy(Path from, Path to, Predicate<Path> left, Copier copier) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (left.test(folder)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                copier.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private interface Copier {
        void copy(Path file, Path copy) throws IOException;
    }
}
