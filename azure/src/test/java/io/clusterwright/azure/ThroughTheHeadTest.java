package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real nodes in a network that is reached by public addresses only: the default, from a laptop. */
@Tag("breadth")
class ThroughTheHeadTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"AVAILABILITY_SET", "SCALE_SET"})
    void allNodesAreReachedThroughTheHead(Placement.Kind kind) {
        ClusterSpec spec = AzureFixture.builder(3)
                .nodes(n -> n.deadline(Duration.ofSeconds(45)))
                .network(n -> n.addressSpace("10.64.0.0/16")
                        .subnet("Subnet-1", "10.64.0.0/24")
                        .ssh(SshAccess.builder().build()))
                .placement(p -> p.kind(kind))
                .image(i -> i.capture(false))
                .build();
        LocalMachines local = AzureFixture.local(folder);
        try (ArmEmulator server = ArmEmulator.builder()
                        .retryAfter(Duration.ZERO)
                        .machinesBackedBy(local.host())
                        .start();
                ClusterManager manager = manager(server)) {
            try (Cluster cluster = manager.create(manager.plan(spec))) {
                Node head = cluster.head();
                assertThat(cluster.nodes())
                        .hasSize(3)
                        .allSatisfy(node -> assertThat(caller(cluster.session(node.name())))
                                .as("who connects to %s", node.name())
                                .satisfies(caller -> {
                                    if (node.equals(head)) {
                                        assertThat(caller)
                                                .isNotEqualTo(head.address().toString());
                                    } else {
                                        assertThat(caller)
                                                .isEqualTo(head.address().toString());
                                    }
                                }));
                cluster.session(cluster.nodes().get(2).name()).write(new byte[300_000], "through", 0600);
                assertThat(cluster.session(cluster.nodes().get(2).name())
                                .run(Command.of("wc", "-c", "through"))
                                .stdout())
                        .isEqualTo("300000 through\n");
            }
            try (Cluster again = manager.open(spec.name())) {
                assertThat(again.run(Command.of("hostname")).failures()).isEmpty();
            }
            assertThat(manager.destroy(spec.name()).left()).isEmpty();
        } finally {
            local.open().remaining(AzureFixture.ID).forEach(left -> local.open().delete(AzureFixture.ID, left));
        }
    }

    private ClusterManager manager(ArmEmulator server) {
        AzureMachines machines = AzureMachines.builder(
                        AzureFixture.pipeline(server.token()),
                        AzureFixture.profile(server.url(), server.subscriptionId()))
                .pollInterval(Duration.ofMillis(20))
                .build();
        return AzureFixture.manager(ProviderMachines.of(AzureFixture.open(machines)), folder);
    }

    private static String caller(NodeSession session) {
        return session.run(Command.shell("echo ${SSH_CONNECTION%% *}"))
                .orThrow()
                .stdout()
                .strip();
    }
}
