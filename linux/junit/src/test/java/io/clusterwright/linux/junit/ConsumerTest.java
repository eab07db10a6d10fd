package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Builds a Maven project that uses the extension, with several versions of JUnit. */
@Tag("breadth")
class ConsumerTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path FOLDER = Path.of("target/consumer").toAbsolutePath();
    private static final List<String> JUNIT = List.of("5.9.3", "5.11.4", "5.12.2");
    private static final String VERSION = "0.1.0-SNAPSHOT";
    /** For JVMs that live for seconds only. */
    private static final String SHORT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final Pattern PLUGIN_VERSION = Pattern.compile("<(maven-[a-z]+-plugin\\.version)>([^<]+)</");

    @Test
    void aProjectKeepsItsVersionOfJUnitAndGetsOurVersionsOfLibraries() throws Exception {
        deleteTree(FOLDER.resolve("m2/io/clusterwright"));
        Path built = publish();
        Path project = copyProject();

        String output = maven(project, built);

        for (String version : JUNIT) {
            assertThat(output).contains("org.junit.jupiter:junit-jupiter-api:jar:" + version + ":test");
        }
        assertThat(output)
                .doesNotContain("org.junit.jupiter:junit-jupiter-api:jar:6")
                .contains("org.slf4j:jcl-over-slf4j:jar:" + managedVersion("slf4j.version"))
                .doesNotContain("jcl-over-slf4j:jar:1");
        Pattern result = Pattern.compile("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, .* SolverTest");
        assertThat(result.matcher(output).results()).hasSameSizeAs(JUNIT);
    }

    /** A repository of the modules that the extension needs, as they are compiled. */
    private static Path publish() throws Exception {
        Path built = FOLDER.resolve("built");
        deleteTree(built);
        publish(built, "clusterwright-parent", ROOT.resolve("pom.xml"));
        publish(built, "clusterwright-bom", ROOT.resolve("core/bom/pom.xml"));
        publish(built, "clusterwright-core", ROOT.resolve("core/pom.xml"), Cluster.class);
        publish(built, "clusterwright-linux", ROOT.resolve("linux/pom.xml"), LocalMachines.class);
        publish(built, "clusterwright-linux-junit", ROOT.resolve("linux/junit/pom.xml"), LocalCluster.class);
        return built;
    }

    private static Path publish(Path repository, String artifact, Path pom) throws IOException {
        Path folder = repository.resolve("io/clusterwright").resolve(artifact).resolve(VERSION);
        Files.createDirectories(folder);
        Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
        return folder;
    }

    private static void publish(Path repository, String artifact, Path pom, Class<?> member)
            throws IOException, URISyntaxException {
        Path jar = publish(repository, artifact, pom).resolve(artifact + "-" + VERSION + ".jar");
        Path classes = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(classes)) {
            pack(classes, jar);
        } else {
            Files.copy(classes, jar);
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file)) {
            eachFile(classes, (name, path) -> {
                try {
                    entries.putNextEntry(new ZipEntry(name));
                    Files.copy(path, entries);
                    entries.closeEntry();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static Path copyProject() throws IOException {
        Path project = FOLDER.resolve("project");
        deleteTree(project);
        eachFile(Path.of("src/test/resources/consumer"), (name, path) -> {
            try {
                Files.createDirectories(project.resolve(name).getParent());
                Files.copy(path, project.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        for (String version : JUNIT) {
            Files.writeString(
                    Files.createDirectory(project.resolve("junit-" + version)).resolve("pom.xml"),
                    """
                    <project xmlns="http://maven.apache.org/POM/4.0.0">
                      <modelVersion>4.0.0</modelVersion>
                      <parent>
                        <groupId>consumer</groupId>
                        <artifactId>consumer</artifactId>
                        <version>1</version>
                      </parent>
                      <artifactId>junit-%1$s</artifactId>
                      <properties>
                        <junit.version>%1$s</junit.version>
                      </properties>
                    </project>
                    """.formatted(version));
        }
        return project;
    }

    private static String maven(Path project, Path built) throws IOException, InterruptedException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(bin -> Files.isExecutable(Path.of(bin, "mvn")));
        List<String> command = new ArrayList<>(List.of(installed ? "mvn" : ROOT + "/mvnw"));
        command.addAll(List.of("-B", "-ntp", "-s", "settings.xml", "-Dbuilt=" + built));
        command.add("-Dmaven.repo.local=" + FOLDER.resolve("m2"));
        Matcher version = PLUGIN_VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (version.find()) {
            command.add("-D" + version.group(1) + "=" + version.group(2));
        }
        command.addAll(List.of("-DargLine=" + SHORT, "test", "dependency:list"));
        Path log = FOLDER.resolve("maven.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("MAVEN_OPTS", SHORT);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES))
                    .as("Maven ends; see %s", log)
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        String output = Files.readString(log);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static String managedVersion(String property) throws IOException {
        Matcher value = Pattern.compile("<" + property + ">([^<]+)</")
                .matcher(Files.readString(ROOT.resolve("core/bom/pom.xml")));
        assertThat(value.find()).as(property).isTrue();
        return value.group(1);
    }

    private static void eachFile(Path folder, BiConsumer<String, Path> use) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                use.accept(folder.relativize(file).toString(), file);
            }
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
