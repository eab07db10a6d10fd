package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.SshAccess;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SshClientConfigTest {
    private static final SshClientConfig PINNED = SshClientConfig.builder()
            .addHost(SshHost.of(Samples.node(11), "10.32.0.11"))
            .addHost(new SshHost(Samples.node(12), "203.0.113.7", 10112))
            .user(new UserName("hpcuser"))
            .identityFile("~/.ssh/id_ed25519")
            .knownHostsFile("/home/hpc user/known_hosts")
            .build();
    private static final SshClientConfig RANGE = SshClientConfig.acceptInRange(List.of("10.32.0.*"));

    @TempDir
    Path folder;

    /** What OpenSSH makes of a configuration for one host: its options, in small letters, one to a line. */
    private List<String> options(String config, String host) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), config);
        return Tool.run("ssh", "-G", "-F", file.toString(), host)
                .orThrow()
                .lines()
                .toList();
    }

    private static SshAccess access(String state) {
        SshAccess.Route route = new SshAccess.Route(
                Samples.node(11), Ipv4Address.of("10.32.0.11"), "203.0.113.7", 22, Samples.KEY_11, null);
        return new SshAccess(
                new UserName("hpcuser"), Path.of(state, "login"), Path.of(state, "known_hosts"), List.of(route));
    }

    @Test
    void sshReadsThePathsOfTheStateFolderAsTheyAre() throws IOException {
        assertThat(options(SshClientConfig.reaching(access("/home/50%b/it s")).text(), "cluster11"))
                .contains("identityfile /home/50%%b/it s/login", "userknownhostsfile /home/50%b/it s/known_hosts");
        assertThatThrownBy(() -> SshClientConfig.reaching(access("/home/${USER}")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("a path without \"${\"");
    }

    @Nested
    class Pinned {
        @Test
        void matchesTheGoldenFile() {
            Golden.check("ssh-config-pinned", PINNED.text());
        }

        @ParameterizedTest
        @CsvSource({
            "cluster11,10.32.0.11,22,cluster11",
            "10.32.0.11,10.32.0.11,22,cluster11",
            "cluster12,203.0.113.7,10112,cluster12",
            "203.0.113.7,203.0.113.7,10112,cluster12"
        })
        @Tag("breadth")
        void opensshReachesEveryNodeByNameAndByAddress(String typed, String address, String port, String alias)
                throws IOException {
            assertThat(options(PINNED.text(), typed))
                    .contains(
                            "hostname " + address,
                            "port " + port,
                            "hostkeyalias " + alias,
                            "user hpcuser",
                            "stricthostkeychecking true",
                            "batchmode yes",
                            "connecttimeout 10",
                            "identitiesonly yes",
                            "identityfile ~/.ssh/id_ed25519",
                            "userknownhostsfile /home/hpc user/known_hosts");
        }

        @Test
        @Tag("breadth")
        void opensshLeavesOtherHostsAlone() throws IOException {
            assertThat(options(PINNED.text(), "example.org"))
                    .contains("stricthostkeychecking ask", "batchmode no", "port 22")
                    .doesNotContain("user hpcuser");
        }

        @Test
        @Tag("breadth")
        void everyOptionCanBeSet() throws IOException {
            SshClientConfig config = SshClientConfig.builder()
                    .addHost(SshHost.of(Samples.node(11), "10.32.0.11"))
                    .connectTimeout(Duration.ofSeconds(3))
                    .option("ServerAliveInterval", "15")
                    .option("batchmode", "no")
                    .option("IdentityFile", "/a #b\\c'd")
                    .build();
            assertThat(options(config.text(), "cluster11"))
                    .contains("connecttimeout 3", "serveraliveinterval 15", "batchmode no", "identityfile /a #b\\c'd");
        }

        @Test
        @Tag("breadth")
        void opensshReadsEveryPathAsItWasGiven() {
            Seeded.times(40, random -> {
                String path = "/" + Seeded.text(random, "ab #'\\=,;*?!$&", 1 + random.nextInt(10)) + "x";
                SshClientConfig config = SshClientConfig.builder()
                        .addHost(SshHost.of(Samples.node(11), "10.32.0.11"))
                        .option("IdentityFile", path)
                        .build();
                try {
                    assertThat(options(config.text(), "cluster11")).contains("identityfile " + path);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Nested
    class Refused {
        private final SshClientConfig.Builder builder = SshClientConfig.builder();

        @Test
        void refusesToAcceptUnknownKeysByOption() {
            assertThatThrownBy(() -> builder.option("stricthostkeychecking", "no"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid stricthostkeychecking \"no\": use yes; to accept unknown"
                            + " keys call acceptInRange or acceptPerNode (example: yes)");
        }

        @ParameterizedTest
        @CsvSource({
            "ProxyCommand,can run a command",
            "LocalCommand,can run a command",
            "PermitLocalCommand,can run a command",
            "KnownHostsCommand,can run a command",
            "XAuthLocation,can run a command",
            "PKCS11Provider,can run a command",
            "SmartcardDevice,can run a command",
            "SecurityKeyProvider,can run a command",
            "Include,use a keyword",
            "Host,use a keyword",
            "match,use a keyword",
            "a b,use a keyword"
        })
        void refusesOptionsThatRunCommands(String name, String allowed) {
            assertThatThrownBy(() -> builder.option(name, "x")).hasMessageContainingAll("SSH option", name, allowed);
        }

        @ParameterizedTest
        @CsvSource({
            "NoHostAuthenticationForLocalhost,yes",
            "VerifyHostKeyDNS,ask",
            "ProxyJump,$(id)@head",
            "ProxyJump,-oProxyCommand=id"
        })
        void refusesValuesThatTrustUnknownKeysOrReachAShell(String name, String value) {
            assertThatThrownBy(() -> builder.option(name, value)).hasMessageContaining("invalid " + name);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "a\nb", "a\"b"})
        void refusesValuesThatLeaveTheirLine(String value) {
            assertThatThrownBy(() -> builder.option("User", value)).hasMessageContaining("invalid value of User ");
        }

        @Test
        void refusesNoNodeNoTimeAndNoPort() {
            assertThatThrownBy(builder::build).hasMessageContaining("needs a host: call addHost");
            assertThatThrownBy(() -> builder.connectTimeout(Duration.ofMillis(999)))
                    .hasMessageContaining("use 1 s or more");
            assertThatThrownBy(() -> new SshHost(Samples.node(1), "10.0.0.1", 0))
                    .hasMessageContaining("1 to 65535");
            assertThatThrownBy(() -> SshHost.of(Samples.node(1), "10.0.*")).hasMessageContaining("without patterns");
        }
    }

    @Nested
    class AcceptingUnknownKeys {
        @Test
        void hasTheTwoFormsOfTheArticle() {
            Golden.check("ssh-config-range", RANGE.text());
            Golden.check(
                    "ssh-config-per-node",
                    SshClientConfig.acceptPerNode(Stream.of("10.32.0.1", "10.32.0.2", "10.32.0.3")
                                    .map(Ipv4Address::of)
                                    .toList())
                            .text());
        }

        @Test
        @Tag("breadth")
        void isLimitedToTheRange() throws IOException {
            assertThat(options(RANGE.text(), "10.32.0.7")).contains("stricthostkeychecking false");
            assertThat(options(RANGE.text(), "10.32.1.7")).contains("stricthostkeychecking ask");
            assertThat(options(RANGE.text(), "cluster11")).contains("stricthostkeychecking ask");
        }

        @ParameterizedTest
        @ValueSource(strings = {"10.32.*", "10.32.0.*", "10.32.*.*", "192.168.255.*", "10.32.0.5"})
        void takesRangesWithTwoFixedNumbers(String range) {
            assertThat(SshClientConfig.acceptInRange(List.of(range)).text())
                    .isEqualTo("host " + range + "\nStrictHostKeyChecking no\n");
        }

        @ParameterizedTest
        @CsvSource({
            "10.32.0.0/16, 10.32.*",
            "10.32.7.0/24, 10.32.7.*",
            "10.32.7.9/24, 10.32.7.*",
            "10.32.7.9/32, 10.32.7.9",
            "10.32.6.0/23, 10.32.6.* 10.32.7.*",
            "10.32.6.4/30, 10.32.6.4 10.32.6.5 10.32.6.6 10.32.6.7"
        })
        void aNetworkBecomesPatterns(String network, String patterns) {
            assertThat(SshClientConfig.acceptInRange(List.of(network)).text())
                    .isEqualTo("host " + patterns + "\nStrictHostKeyChecking no\n");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "*",
                    "10.*",
                    "10.*.0.*",
                    "10.32.0.1*",
                    "10.32.?.*",
                    "10.32.0.0/15",
                    "10.256.*",
                    "10.32.* *",
                    "!10.32.*",
                    "cluster*"
                })
        void refusesWiderRanges(String range) {
            assertThatThrownBy(() -> SshClientConfig.acceptInRange(List.of("10.32.0.*", range)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid addresses for StrictHostKeyChecking no \"" + range + "\": use IPv4"
                            + " patterns whose first two numbers are fixed, networks from /16 on, or addresses"
                            + " (example: 10.32.0.*)");
        }

        @Test
        void refusesNoRangeAtAll() {
            assertThatThrownBy(() -> SshClientConfig.acceptInRange(List.of()))
                    .hasMessageContaining("addresses for Strict");
            assertThatThrownBy(() -> SshClientConfig.acceptPerNode(List.of()))
                    .hasMessageContaining("addresses for Strict");
        }
    }

    @Nested
    class Editing {
        private static final String FOREIGN =
                "# my hosts\n\nServerAliveInterval 5\nHost *\n  StrictHostKeyChecking ask\n";

        @Test
        void putsTheBlockBeforeForeignOptions() {
            assertThat(RANGE.edit("# my hosts\n" + FOREIGN.substring(11), Samples.CLUSTER))
                    .endsWith(FOREIGN.substring(11))
                    .startsWith("# BEGIN clusterwright wing-flow\nhost 10.32.0.*\n");
        }

        @Test
        void leavesTheBlockWhereOnlyCommentsPrecedeIt() {
            String edited = Golden.read("ssh-config-edited");
            assertThat(RANGE.edit(edited, Samples.CLUSTER)).isEqualTo(edited);
            assertThat(SshClientConfig.remove(edited, Samples.CLUSTER)).isEqualTo(FOREIGN);
        }

        @Test
        @Tag("breadth")
        void winsOverForeignOptionsAndLeavesThemForTheRest() throws IOException {
            String edited = RANGE.edit(FOREIGN, Samples.CLUSTER);
            assertThat(options(edited, "10.32.0.9")).contains("stricthostkeychecking false", "serveraliveinterval 5");
            assertThat(options(edited, "example.org")).contains("stricthostkeychecking ask", "serveraliveinterval 5");
        }

        @Test
        void keepsTheBlocksOfOtherClusters() {
            ClusterName other = new ClusterName("other");
            String both = PINNED.edit(RANGE.edit(FOREIGN, Samples.CLUSTER), other);
            assertThat(SshClientConfig.remove(both, other)).isEqualTo(RANGE.edit(FOREIGN, Samples.CLUSTER));
        }

        @Test
        void isIdempotentAndReversible() {
            Seeded.times(300, random -> {
                String text = Seeded.text(random, "#aH \t\n\r\n", random.nextInt(40));
                String edited = RANGE.edit(text, Samples.CLUSTER);
                assertThat(RANGE.edit(edited, Samples.CLUSTER)).isEqualTo(edited);
                assertThat(SshClientConfig.remove(edited, Samples.CLUSTER)).isEqualTo(text);
                assertThat(SshClientConfig.remove(PINNED.edit(edited, Samples.CLUSTER), Samples.CLUSTER))
                        .isEqualTo(text);
            });
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "# BEGIN clusterwright wing-flow\nHost a\n",
                    "# END clusterwright wing-flow\n",
                    "# BEGIN clusterwright wing-flow\n# BEGIN clusterwright wing-flow\n# END clusterwright wing-flow\n"
                })
        void refusesADamagedBlock(String text) {
            assertThatThrownBy(() -> RANGE.edit(text, Samples.CLUSTER))
                    .isInstanceOf(UneditableFileException.class)
                    .hasMessageContaining("the block of this cluster must be between the lines \"# BEGIN"
                            + " clusterwright wing-flow\" and \"# END clusterwright wing-flow\"");
        }
    }
}
