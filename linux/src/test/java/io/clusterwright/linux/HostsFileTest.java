package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostsFileTest {
    private final HostsFile hosts = HostsFile.of(
            Map.of(Samples.node(12), Ipv4Address.of("10.32.0.12"), Samples.node(11), Ipv4Address.of("10.32.0.11")));

    private String edit(String text) {
        return hosts.edit(text, Samples.CLUSTER);
    }

    /** What an edit leaves of a line. */
    private String foreign(String line) {
        return HostsFile.remove(edit(line), Samples.CLUSTER);
    }

    @Test
    void matchesTheGoldenFile() {
        Golden.check("hosts", hosts.text());
    }

    @Nested
    class Editing {
        @Test
        void theFileOfDebian() {
            Golden.check("hosts.edited", edit(Golden.read("hosts.before")));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                ignoreLeadingAndTrailingWhitespace = false,
                value = {
                    "127.0.1.1\tcluster11.example.org\tcluster11|",
                    "127.0.0.1 localhost cluster11|127.0.0.1 localhost",
                    "::1 localhost  Cluster11 # me|::1 localhost # me",
                    "10.0.0.9 cluster12 old  cluster11 older|10.0.0.9 old older",
                    "  10.32.0.11 cluster11 # was static|",
                    "10.0.0.9 cluster11.example.org|10.0.0.9 cluster11.example.org",
                    "10.0.0.9 cluster111 xcluster11|10.0.0.9 cluster111 xcluster11",
                    "# 10.0.0.9 cluster11|# 10.0.0.9 cluster11",
                    "cluster11 other|cluster11 other"
                })
        void takesTheNodesNamesOutOfOtherLines(String line, String left) {
            assertThat(foreign(line + "\n")).isEqualTo(left == null ? "" : left + "\n");
        }

        @Test
        void keepsTheLineEndsOfTheFile() {
            assertThat(edit("127.0.0.1 localhost\r\n"))
                    .contains("localhost\r\n#")
                    .endsWith("wing-flow\r\n");
            assertThat(edit("127.0.0.1 localhost")).startsWith("127.0.0.1 localhost\n# BEGIN");
        }

        @Test
        void followsNodesThatComeAndGo() {
            HostsFile one = HostsFile.of(Map.of(Samples.node(13), Ipv4Address.of("10.32.0.13")));
            String text = "127.0.0.1 localhost\n";
            assertThat(one.edit(edit(text), Samples.CLUSTER)).isEqualTo(one.edit(text, Samples.CLUSTER));
        }

        @Test
        void isIdempotent() {
            Seeded.times(500, random -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(8); i > 0; i--) {
                    text.append("10.9.0.").append(random.nextInt(9)).append(" \tkeep  # cluster11\n");
                    text.append(List.of("127.0.1.1", "10.0.0.1", " ::1", "#", "", "localhost")
                            .get(random.nextInt(6)));
                    for (int n = random.nextInt(4); n > 0; n--) {
                        text.append(List.of(" ", "\t ", " #").get(random.nextInt(3)))
                                .append(List.of("cluster11", "CLUSTER12.a", "x", "localhost")
                                        .get(random.nextInt(4)));
                    }
                    text.append(i == 1 && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
                }
                String edited = edit(text.toString());
                assertThat(edit(edited)).isEqualTo(edited);
                assertThat(others(foreign(text.toString()))).isEqualTo(others(text.toString()));
            });
        }

        private List<String> others(String text) {
            return text.lines().filter(line -> line.startsWith("10.9.")).toList();
        }
    }

    @Nested
    class Refused {
        @ParameterizedTest
        @ValueSource(strings = {"127.0.0.1", "127.0.1.1", "127.255.0.9"})
        void refusesALoopbackAddress(String address) {
            assertThatThrownBy(() -> HostsFile.of(Map.of(Samples.node(11), Ipv4Address.of(address))))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid address of cluster11 \"" + address + "\": use an address that other"
                            + " nodes can reach (example: 10.32.0.11)");
        }

        @Test
        void refusesTheNameLocalhost() {
            assertThatThrownBy(() -> HostsFile.of(Map.of(new NodeName("Localhost"), Ipv4Address.of("10.0.0.1"))))
                    .hasMessageContaining("a node cannot be named Localhost");
        }
    }

    /** The C library's own resolver, in a mount namespace of its own. */
    @Nested
    class ThroughTheResolver {
        @TempDir
        Path folder;

        @Test
        @Tag("breadth")
        void everyNodeHasItsAddressAndNoOther() throws IOException {
            String edited = edit(Golden.read("hosts.before"));
            assertThat(getent(edited, "cluster11")).containsExactly("10.32.0.11 cluster11");
            assertThat(getent(edited, "cluster12")).containsExactly("10.32.0.12 cluster12");
            assertThat(getent(edited, "10.32.0.12")).containsExactly("10.32.0.12 cluster12");
            assertThat(getent(edited, "storage")).containsExactly("10.32.9.1 storage");
            assertThat(getent(edited, "localhost")).allMatch(line -> line.matches("(127.0.0.1|::1) localhost.*"));
        }

        @Test
        @Tag("breadth")
        void resolvesNamesFromTheCompleteFileAlone() throws IOException {
            assertThat(getent(hosts.text(), "cluster11")).containsExactly("10.32.0.11 cluster11");
            assertThat(getent(hosts.text(), "ip6-localhost")).isNotEmpty();
        }

        private List<String> getent(String hostsFile, String name) throws IOException {
            Path file = Files.writeString(folder.resolve("hosts"), hostsFile);
            return Tool.withMounts("mount --bind \"$1\" /etc/hosts; getent hosts \"$2\"", file.toString(), name)
                    .orThrow()
                    .lines()
                    .map(line -> line.replaceAll(" +", " "))
                    .toList();
        }
    }
}
