package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.Hosts;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class HostsOverSshTest {
    private static RealSshd sshd;

    @TempDir
    Path folder;

    private Path known;
    private Hosts hosts;

    @BeforeAll
    static void start() {
        sshd = RealSshd.start();
    }

    @AfterAll
    static void stop() throws Exception {
        sshd.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        known = folder.resolve("known_hosts");
        Path key = Files.writeString(
                folder.resolve("id"), sshd.login().privateKey().reveal());
        hosts = Hosts.of("127.0.0.1:3")
                .user("tester")
                .port(sshd.endpoint().port())
                .privateKey(key)
                .knownHosts(known);
    }

    private String entry(String key) {
        return "[127.0.0.1]:" + sshd.endpoint().port() + " " + key + "\n";
    }

    @Test
    void runsCommandsOnAHostWhoseKeyIsKnown() throws Exception {
        Files.writeString(known, entry(sshd.hostKey().publicKey().toString()));
        try (Cluster cluster = hosts.connect()) {
            assertThat(cluster.head().slots()).hasValue(3);
            assertThat(cluster.head().name()).hasToString("127-0-0-1");
            assertThat(cluster.session(cluster.head().name())
                            .run(Command.of("id", "-un"))
                            .orThrow()
                            .stdout())
                    .isEqualTo("tester\n");
        }
    }

    @Test
    void refusesAHostWhoseKeyIsNotKnown() {
        assertThatThrownBy(() -> hosts.connect())
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("the key of host 127.0.0.1 is not known")
                .hasMessageContaining("trustOnFirstUse");
        assertThat(known).doesNotExist();
    }

    @Test
    void refusesAHostThatShowsAnotherKey() throws Exception {
        Files.writeString(known, entry(Ed25519Keys.generate("other").publicKey().toString()));
        try (Cluster cluster = hosts.trustOnFirstUse().connect()) {
            assertThatThrownBy(() -> cluster.session(cluster.head().name()))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("it shows another host key");
        }
    }

    @Test
    void remembersAKeyThatIsTrustedOnFirstUse() throws Exception {
        try (Cluster cluster = hosts.trustOnFirstUse().connect()) {
            assertThat(cluster.run(Command.of("true")).successes()).hasSize(1);
        }
        assertThat(Files.readString(known))
                .startsWith("[127.0.0.1]:" + sshd.endpoint().port() + " ");
        try (Cluster cluster = hosts.connect()) {
            assertThat(cluster.run(Command.of("true")).successes()).hasSize(1);
        }
    }
}
