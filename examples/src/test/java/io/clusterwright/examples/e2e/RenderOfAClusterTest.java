package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The files of a cluster that exists. */
@Tag("breadth")
class RenderOfAClusterTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-render", 81, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Test
    void listsTheHostKeysOfAnExistingCluster() throws IOException {
        machine.create(CLUSTER);
        Path files = machine.folder().resolve("out");
        machine.succeeds("render", machine.spec(CLUSTER).toString(), "--to", files.toString(), "--on", "local");

        String known = Files.readString(files.resolve("ssh_known_hosts"));

        assertThat(known).hasLineCount(2).startsWith(CLUSTER.node(1) + "," + CLUSTER.address(1) + " ssh-ed25519 ");
        Program.Ended onTheNode = machine.clusterwright(
                "run", CLUSTER.name(), "--nodes", CLUSTER.node(2), "--", "cat", "/etc/ssh/ssh_host_ed25519_key.pub");
        String key = onTheNode
                .stdout()
                .lines()
                .filter(line -> line.startsWith("ssh-ed25519"))
                .findFirst()
                .orElseThrow();
        assertThat(known).contains(CLUSTER.address(2) + " " + key.substring(0, key.indexOf(' ', 20)));
        Program.Ended hosts =
                machine.clusterwright("run", CLUSTER.name(), "--nodes", CLUSTER.node(1), "--", "cat", "/etc/hosts");
        assertThat(hosts.stdout())
                .contains(CLUSTER.address(1) + " " + CLUSTER.node(1), CLUSTER.address(2) + " " + CLUSTER.node(2));
        assertThat(files.resolve("hosts")).content().contains(CLUSTER.address(2) + " " + CLUSTER.node(2));
    }
}
