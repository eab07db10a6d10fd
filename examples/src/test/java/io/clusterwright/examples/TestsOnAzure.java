package io.clusterwright.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.ClusterSpec;
import org.junit.jupiter.api.Test;

/** The test with nodes of the page {@code docs/emulated-azure.md}, with its imports. */
final class TestsOnAzure {
    private TestsOnAzure() {}

    @EmulatedAzure(machines = EmulatedAzure.Machines.LOCAL_NODES)
    class SolverOnAzureTest {
        @Test
        void runsOnAzure(ClusterManager clusters, ArmEmulator emulator) {
            ClusterSpec spec = ClusterSpec.builder("demo")
                    .region("westeurope")
                    .nodes(nodes -> nodes.count(2).size("Standard_D2s_v5"))
                    .build();
            try (Cluster cluster = clusters.create(spec)) {
                cluster.run(Command.of("hostname")).orThrow();
            }
            assertTrue(emulator.requests().stream()
                    .anyMatch(request -> request.path().contains("/virtualMachines/")));
        }
    }
}
