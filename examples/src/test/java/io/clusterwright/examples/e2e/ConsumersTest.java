package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The projects in {@code examples/consumers}, which use the library as other projects do: one jar of Spring Boot, and one of maven-shade-plugin. */
@Tag("breadth")
class ConsumersTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-consumers", 81, 1);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final String MERGE =
            "<transformer implementation=\"org.apache.maven.plugins.shade.resource.ServicesResourceTransformer\"/>";
    private static final String SPEC = """
            name: %s
            nodes: {count: 1, prefix: %s}
            network: {addressSpace: %s}
            image: {capture: false}
            verify: {fabric: none}
            """.formatted(CLUSTER.name(), CLUSTER.prefix(), CLUSTER.addressSpace());
    private static final String MISTAKEN = "name: demo\nregion: westeurope\nmpi: {preset: intel-mpi/network-direct}\n"
            + "nodes: {count: 2, size: Standard_HB120rs_v3}\n";

    @TempDir
    private static Path projects;

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    /** In one run of Maven. The project {@code unmerged} is the shaded one without its transformer. */
    @BeforeAll
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    static void builds() throws IOException {
        InstalledArtifacts installed = InstalledArtifacts.in(projects.resolve("installed"));
        copy("spring-boot", "spring-boot");
        copy("one-jar", "one-jar");
        Path pom = copy("one-jar", "unmerged").resolve("pom.xml");
        String text = Files.readString(pom);
        assertThat(text).contains(MERGE);
        Files.writeString(pom, text.replace(MERGE, "").replace("cluster-tool", "cluster-tool-unmerged"));
        Files.writeString(projects.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>org.example</groupId>
                  <artifactId>consumers</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>
                    <module>spring-boot</module>
                    <module>one-jar</module>
                    <module>unmerged</module>
                  </modules>
                </project>
                """);

        installed.maven(projects, "mvn -B -ntp -T 2 package");
    }

    @Test
    void aServiceOfSpringAnswersWithTheJsonOfPlansFindingsAndResults() throws Exception {
        List<String> command = List.of(java(), "-jar", jar("spring-boot", "cluster-service-1.jar"), "--server.port=0");
        try (Program service = machine.start(command, "", builder -> builder)) {
            service.awaitText("Tomcat started on port");
            Matcher port = PORT.matcher(service.stdout());
            assertThat(port.find()).isTrue();
            URI address = URI.create("http://127.0.0.1:" + port.group(1));

            assertThat(post(address, "/spec", SPEC).at("/nodes/count").asInt()).isEqualTo(1);
            assertThat(post(address, "/findings", MISTAKEN).toString())
                    .contains("\"code\":\"CW-PRESET-002\"")
                    .contains("\"severity\":\"ERROR\"");
            assertThat(post(address, "/plan", SPEC).at("/valid").asBoolean()).isTrue();
            assertThat(post(address, "/uptime", SPEC).toString()).contains("load average");

            service.signal("TERM");
            Program.Ended ended = service.end();
            assertThat(ended.stderr()).isEmpty();
            assertThat(ended.stdout())
                    .contains("cluster " + CLUSTER.name() + " was created on local: 1 node; it has no time to live")
                    .contains("cluster " + CLUSTER.name() + " was destroyed: ")
                    .doesNotContain("sshd", "WARN");
        }
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()).facts()).isEmpty();
    }

    @Test
    void oneJarWithMergedServiceFilesRuns() throws IOException {
        Program.Ended ran = tool("one-jar", "cluster-tool-1.jar");

        assertThat(ran.status()).as(ran.toString()).isZero();
        assertThat(ran.stdout()).contains("load average");
        assertThat(ran.stderr()).isEmpty();
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()).facts()).isEmpty();
    }

    @Test
    void oneJarWithoutMergedServiceFilesIsRefused() throws IOException {
        Program.Ended ran = tool("unmerged", "cluster-tool-unmerged-1.jar");

        assertThat(ran.status()).as(ran.toString()).isEqualTo(1);
        assertThat(ran.stderr())
                .contains(
                        "IncompleteJarException: the jar of this program is incomplete: META-INF/services does not register")
                .contains(" of clusterwright-mpi")
                .contains(MERGE);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()).facts()).isEmpty();
    }

    private Program.Ended tool(String project, String jar) throws IOException {
        Path spec = Files.writeString(machine.folder().resolve("demo.yaml"), SPEC);
        return machine.run(List.of(java(), "-jar", jar(project, jar), spec.toString()));
    }

    private static JsonNode post(URI service, String path, String spec) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(service.resolve(path))
                                .header("Content-Type", "text/plain")
                                .POST(HttpRequest.BodyPublishers.ofString(spec))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return AnalyzeTest.json(answer.body());
    }

    private static Path copy(String project, String name) throws IOException {
        Path from = Machine.EXAMPLES.resolve("consumers").resolve(project);
        Path to = projects.resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (!copy.startsWith(to.resolve("target"))) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        return to;
    }

    private static String jar(String project, String name) {
        return projects.resolve(project).resolve("target").resolve(name).toString();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }
}
