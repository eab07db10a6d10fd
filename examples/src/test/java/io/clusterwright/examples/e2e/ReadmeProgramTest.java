package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    private static final Pattern JOB = Pattern.compile("MpiJob[.]of[(][^()]*[)]");

    private static InstalledArtifacts installed;

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @BeforeAll
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    static void installs(@TempDir Path folder) throws IOException {
        installed = InstalledArtifacts.in(folder);
    }

    @Test
    void resolvesTheDependenciesAndCompilesTheProgram() throws IOException {
        List<String> classPath = compile("First", Readme.program("First", CLUSTER));

        assertThat(classPath).anyMatch(entry -> entry.endsWith("/target/classes"));
        assertThat(classPath)
                .anyMatch(entry -> entry.startsWith(installed.repository() + "/io/clusterwright/clusterwright-mpi/"));
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
        installed.maven(
                project,
                "mvn -B -ntp " + InstalledArtifacts.plugin("maven-compiler-plugin") + ":compile "
                        + InstalledArtifacts.plugin("maven-dependency-plugin")
                        + ":build-classpath -Dmdep.outputFile=class.path");
        List<String> classPath =
                new ArrayList<>(List.of(project.resolve("target/classes").toString()));
        classPath.addAll(
                List.of(Files.readString(project.resolve("class.path")).strip().split(":")));
        return classPath;
    }
}
