package io.clusterwright.linux;

import static io.clusterwright.linux.Samples.KEY_11;
import static io.clusterwright.linux.Samples.KEY_12;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownHostsTest {
    private static final SshPublicKey OLD = Samples.key(99, "");
    private static final String OLD_KEY = " " + OLD;
    private static final String NEW_KEY = " " + KEY_11.type() + " " + KEY_11.base64();

    private final KnownHosts known = new KnownHosts(List.of(
            KnownHost.of(Samples.node(11), Ipv4Address.of("10.32.0.11"), KEY_11),
            new KnownHost(List.of(KnownHost.atPort("203.0.113.7", 10112), "cluster12"), KEY_12)));
    private final KnownHosts eleven =
            new KnownHosts(List.of(KnownHost.of(Samples.node(11), Ipv4Address.of("10.32.0.11"), KEY_11)));

    @TempDir
    Path folder;

    @Test
    void matchesTheGoldenFile() {
        Golden.check("known_hosts", known.text());
    }

    @Nested
    class Editing {
        @Test
        void replacesAKeyThatChanged() {
            assertThat(eleven.edit("cluster11,10.32.0.11" + OLD_KEY + "\n")).isEqualTo(eleven.text());
        }

        @Test
        void leavesOtherHostsOnASharedLine() {
            assertThat(eleven.edit("  a,cluster11,b" + OLD_KEY + " note\r\n"))
                    .isEqualTo("  a,b" + OLD_KEY + " note\r\n" + eleven.text().replace("\n", "\r\n"));
        }

        @Test
        void addsOnlyWhatIsMissing() {
            assertThat(eleven.edit("CLUSTER11,x" + NEW_KEY + " note"))
                    .isEqualTo("CLUSTER11,x" + NEW_KEY + " note\n10.32.0.11" + NEW_KEY + "\n");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "# cluster11\n",
                    "\n",
                    "@revoked cluster11 KEY\n",
                    "@cert-authority *.example.org KEY\n",
                    "|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= KEY\n",
                    "cluster1* KEY\n",
                    "cluster111 KEY\n",
                    "[cluster11]:2222 KEY\n",
                    "cluster11\n",
                    "cluster11 what is this\n"
                })
        void leavesForeignLines(String line) {
            String text = line.replace("KEY", OLD.toString());
            assertThat(eleven.edit(text)).isEqualTo(text + eleven.text());
        }

        @Test
        void isIdempotent() {
            Seeded.times(300, random -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(8); i > 0; i--) {
                    text.append(List.of("cluster11", "cluster11,x", "10.32.0.11,cluster12", "x", "#", "|1|a|b")
                                    .get(random.nextInt(6)))
                            .append(List.of(OLD_KEY, NEW_KEY, "", " " + KEY_12).get(random.nextInt(4)))
                            .append(i == 1 && random.nextBoolean() ? "" : "\n");
                }
                String edited = known.edit(text.toString());
                assertThat(known.edit(edited)).isEqualTo(edited);
            });
        }
    }

    @Nested
    class ThroughSshKeygen {
        @Test
        @Tag("breadth")
        void everyHostIsFoundWithItsKey() {
            Seeded.times(10, random -> {
                List<KnownHost> hosts = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    hosts.add(KnownHost.of(
                            Samples.node(i), new Ipv4Address(random.nextInt()), Samples.key(random.nextLong(), "")));
                }
                KnownHosts all = new KnownHosts(hosts);
                String before = "cluster0,cluster3,z" + OLD_KEY + "\n";
                String file = all.edit(before);
                for (KnownHost host : hosts) {
                    for (String name : host.hosts()) {
                        assertThat(find(name, file)).containsExactly(host.key().toString());
                    }
                }
                assertThat(find("z", file)).containsExactly(OLD.toString());
            });
        }

        @Test
        @Tag("breadth")
        void aHostOnAnotherPortIsFound() {
            assertThat(find("[203.0.113.7]:10112", known.text())).containsExactly(KEY_12.toString());
            assertThat(find("cluster12", known.text())).containsExactly(KEY_12.toString());
        }

        private List<String> find(String host, String knownHosts) {
            try {
                Path file = Files.writeString(folder.resolve("known_hosts"), knownHosts);
                return Tool.run("ssh-keygen", "-F", host, "-f", file.toString())
                        .orThrow()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split(" ", 2)[1])
                        .toList();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,b", "*", "a b", "!a", "[a]", "[a]:", "[a]:0", "[]:22", "|1|a|b", "#a"})
    void refusesAPatternAsHost(String host) {
        assertThatThrownBy(() -> new KnownHost(List.of(host), KEY_11)).hasMessageContaining("invalid ");
        assertThatThrownBy(() -> new KnownHost(List.of(), KEY_11)).hasMessageContaining("invalid host \"\"");
    }

    @Test
    void writesThePortUnlessItIs22() {
        assertThat(KnownHost.atPort("a", 22)).isEqualTo("a");
        assertThat(KnownHost.atPort("a", 2222)).isEqualTo("[a]:2222");
    }
}
