package io.clusterwright.linux.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.Tool;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxRendererTest {
    private static final String SHORT =
            "name: wing\nregion: westus2\nnodes: {count: 3, size: Standard_HB120rs_v3, firstIndex: 9}\n";
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE2p6ANNkjKUqGnCsUKTHAeVlWuKB0F5iLQ6WMGcGJoH";

    @TempDir
    Path folder;

    private static Path resource(String name) {
        try {
            return Path.of(
                    LinuxRendererTest.class.getResource("/render/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static RenderedFiles full() {
        return Planner.offline().render(SpecReader.read(resource("linux-full.yaml")));
    }

    private static ClusterSpec spec(String more) {
        return SpecReader.read(SHORT + more, "wing.yaml");
    }

    private static String text(RenderedFiles files, String file) {
        return files.find(file).orElseThrow().text();
    }

    private List<String> options(String config, String host) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), config);
        return Tool.run("ssh", "-G", "-F", file.toString(), host)
                .orThrow()
                .lines()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits.conf",
                "99-clusterwright-memlock.conf",
                "ssh_config",
                "ssh_known_hosts",
                "hosts",
                "cloud-init.yaml"
            })
    void matchTheGoldenFiles(String name) throws IOException {
        assertThat(full().find(name).orElseThrow().text()).isEqualTo(Files.readString(resource("golden/" + name)));
    }

    @Test
    void rendersNothingForWindows() {
        ClusterSpec windows = SpecReader.read(
                SHORT.replace("Standard_HB120rs_v3", "Standard_A8")
                        + "operatingSystem: windows\nlogin: {user: hpcadmin, password: {secret: env:P}}\n",
                "wing.yaml");
        assertThat(Planner.offline().render(windows).list())
                .extracting(RenderedFile::name)
                .doesNotContain("hosts", "limits.conf");
    }

    @Nested
    class SshConfig {
        @ParameterizedTest
        @CsvSource({"cluster11,10.32.0.11", "10.32.0.18,10.32.0.18", "cluster10,10.32.0.10"})
        @Tag("breadth")
        void opensshReachesEveryMachineByNameAndByAddress(String typed, String address) throws IOException {
            String config = full().find("ssh_config").orElseThrow().text();
            String alias = "hostkeyalias cluster" + address.substring(address.lastIndexOf('.') + 1);
            assertThat(options(config, typed))
                    .contains("hostname " + address, alias, "stricthostkeychecking true", "batchmode yes");
        }

        @Test
        @Tag("breadth")
        void dialsNamesWhereAddressesAreNotFixed() throws IOException {
            String config = text(Planner.offline().render(spec("")), "ssh_config");
            assertThat(config).startsWith("Host wing9\n    HostName wing9\n").doesNotContain("10.32");
            assertThat(options(config, "wing11")).contains("hostname wing11", "stricthostkeychecking true");
        }

        @Test
        @Tag("breadth")
        void acceptsUnknownKeysOnlyWhereTheSpecAllows() throws IOException {
            String range = "image: {customize: {ssh: {hostKeys: accept-in-range, acceptRange: ['10.32.0.*']}}}\n";
            String config = text(Planner.offline().render(spec(range)), "ssh_config");
            assertThat(options(config, "10.32.0.7")).contains("stricthostkeychecking false");
            assertThat(options(config, "10.33.0.7")).contains("stricthostkeychecking ask");
            String each =
                    "image: {customize: {ssh: {hostKeys: accept-per-node}}}\nnetwork: {firstAddress: 10.32.0.20}\n";
            assertThat(text(Planner.offline().render(spec(each)), "ssh_config"))
                    .isEqualTo(
                            "host 10.32.0.20\n StrictHostKeyChecking no\nhost 10.32.0.21\n StrictHostKeyChecking no\n"
                                    + "host 10.32.0.22\n StrictHostKeyChecking no\n");
        }

        @Test
        @Tag("breadth")
        void hasNoLineThatOlderClientsCutOff() throws IOException {
            ClusterSpec many = spec("network: {subnet: {range: 10.32.0.0/20}, firstAddress: 10.32.1.0}\n").toBuilder()
                    .nodes(nodes -> nodes.count(300))
                    .build();
            String config = text(Planner.offline().render(many), "ssh_config");
            assertThat(config.lines()).allMatch(line -> line.length() <= 1000);
            for (String host : List.of("wing9", "wing150", "wing308", "10.32.2.1")) {
                assertThat(options(config, host)).contains("stricthostkeychecking true", "batchmode yes");
            }
        }
    }

    @Nested
    class Hosts {
        @Test
        void hostsAreSortedByNumberWithTheHeadNode() {
            assertThat(full().find("hosts").orElseThrow().text().lines())
                    .hasSize(11)
                    .contains("10.32.0.10 cluster10", "10.32.0.18 cluster18");
        }

        @Test
        void hostsNoteThatAddressesAreNotFixed() {
            RenderedFile file = Planner.offline().render(spec("")).find("hosts").orElseThrow();
            assertThat(file.text())
                    .startsWith("# network.firstAddress is missing: ")
                    .endsWith("10.32.0.4 wing9\n10.32.0.5 wing10\n10.32.0.6 wing11\n");
            assertThat(file.notes()).hasSize(1);
            assertThat(text(Planner.offline().provider("local").render(spec("")), "hosts"))
                    .doesNotContain("#");
        }
    }

    @Nested
    class KnownHosts {
        @Test
        @Tag("breadth")
        void knownHostsListOnlyExistingKeys() throws IOException {
            StateStore store = StateStore.inFolder(folder.resolve("state"));
            ClusterSpec spec = spec("network: {firstAddress: 10.32.0.20}\n");
            try (StateStore.Writer writer = store.open(spec.name())) {
                writer.append("{}");
            }
            SecretStore secrets = store.secrets(spec.name());
            secrets.put("host-wing10.pub", Secret.of(KEY + " wing10\n"));

            RenderedFile file = Planner.offline()
                    .keys(store)
                    .render(spec)
                    .find("ssh_known_hosts")
                    .orElseThrow();

            assertThat(file.text()).isEqualTo("wing10,10.32.0.21 " + KEY + "\n");
            assertThat(file.notes()).singleElement().asString().startsWith("without 2 of 3 machines: ");
            Path known = Files.writeString(folder.resolve("known_hosts"), file.text());
            for (String name : List.of("wing10", "10.32.0.21")) {
                assertThat(Tool.run("ssh-keygen", "-F", name, "-f", known.toString())
                                .orThrow())
                        .contains(KEY);
            }
        }

        @Test
        void knownHostsAreEmptyWithoutACluster() {
            RenderedFile file = full().find("ssh_known_hosts").orElseThrow();
            assertThat(file.content()).isEmpty();
            assertThat(file.notes()).singleElement().asString().startsWith("empty: create makes the host keys");
        }
    }

    @Nested
    class Limits {
        @Test
        void limitsAreAbsentWithoutRules() {
            String comment = "# image.customize.memlock is missing: the limits of the image stay.\n";
            assertThat(text(Planner.offline().render(spec("")), "limits.conf")).isEqualTo(comment);
            assertThat(text(Planner.offline().render(spec("")), "99-clusterwright-memlock.conf"))
                    .isEqualTo(comment);
        }

        @Test
        void limitsOfServicesAreTheHighest() {
            RenderedFiles some = Planner.offline()
                    .render(spec(
                            "image: {customize: {memlock: [{who: '@hpc', limit: 65536}, {who: root, limit: 128}]}}\n"));
            assertThat(text(some, "99-clusterwright-memlock.conf"))
                    .isEqualTo("[Manager]\nDefaultLimitMEMLOCK=67108864\n");
            assertThat(text(some, "limits.conf"))
                    .isEqualTo("@hpc hard    memlock 65536\n@hpc soft    memlock 65536\n"
                            + "root hard    memlock 128\nroot soft    memlock 128\n");
        }
    }
}
