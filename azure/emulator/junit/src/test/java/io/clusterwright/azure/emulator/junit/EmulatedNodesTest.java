package io.clusterwright.azure.emulator.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.NodeName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs root. */
@Tag("breadth")
@EmulatedAzure(machines = EmulatedAzure.Machines.LOCAL_NODES)
class EmulatedNodesTest {

    @Test
    void createsAClusterOfLocalNodesThroughAzuresCalls(ClusterManager manager, ArmEmulator emulator) {
        ClusterSpec spec = ClusterSpec.builder("junit-azure")
                .region("westeurope")
                .nodes(n -> n.count(1).prefix("juniter").firstIndex(1).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.100.0.0/24").subnet("test", "10.100.0.0/24"))
                .image(image -> image.capture(false))
                .verify(v -> v.hostname(false))
                .build();

        try (Cluster cluster = manager.create(spec)) {
            assertThat(cluster.session(NodeName.of("juniter1"))
                            .run(Command.of("hostname"))
                            .orThrow()
                            .stdout())
                    .isEqualTo("juniter1\n");
        }

        assertThat(emulator.requests())
                .anyMatch(request ->
                        request.isWrite() && request.path().endsWith("/virtualMachineScaleSets/junit-azure-vmss"));
        assertThat(manager.destroy(spec.name()).left()).isEmpty();
    }
}
