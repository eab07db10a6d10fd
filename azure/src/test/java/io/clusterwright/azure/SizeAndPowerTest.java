package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of machines that exist. */
class SizeAndPowerTest {
    private static ClusterSpec spec(int nodes) {
        return AzureFixture.builder(nodes)
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.ALL)
                                .portPrefix(101)
                                .addAllowFrom("203.0.113.0/24")))
                .build();
    }

    private static AzureProvider connect(ArmEmulator emulator) {
        return AzureFixture.open(AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                .pollInterval(Duration.ofMillis(10))
                .build());
    }

    private static ArmEmulator emulator() {
        return ArmEmulator.builder().retryAfter(Duration.ZERO).start();
    }

    @Test
    void growingAddsPortsForNewNodes() {
        AzureFixture.Log log = new AzureFixture.Log();
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(spec(2), log);
            azure.createNetwork(spec(2), log);
            assertThat(puts(emulator)).isEqualTo(1);

            azure.createNetwork(spec(3), log);
            assertThat(puts(emulator)).isEqualTo(2);

            Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec(3), log);
            assertThat(outcomes.values()).hasSize(3).allMatch(MachineOutcome.Made.class::isInstance);
            Machine third = ((MachineOutcome.Made) outcomes.get(new NodeName("cluster13"))).machine();
            assertThat(azure.endpoint(AzureFixture.ID, third).port()).isEqualTo(10113);
        }
    }

    private static long puts(ArmEmulator emulator) {
        return emulator.requests().stream()
                .filter(request ->
                        request.method().equals("PUT") && request.path().endsWith("/loadBalancers/cluster-lb"))
                .count();
    }

    @Test
    void aStoppedMachineIsDeallocatedSoThatItIsNotBilled() {
        AzureFixture.Log log = new AzureFixture.Log();
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(spec(1), log);
            Machine machine = ((MachineOutcome.Made)
                            AzureFixture.create(azure, spec(1), log).get(new NodeName("cluster11")))
                    .machine();

            azure.stop(AzureFixture.ID, List.of(machine));

            assertThat(azure.state(AzureFixture.ID, machine)).isEqualTo(MachineState.STOPPED);
            assertThat(emulator.requests())
                    .anyMatch(request -> request.path().endsWith("/virtualMachines/cluster11/deallocate"))
                    .noneMatch(request -> request.path().endsWith("/powerOff"));
            azure.start(AzureFixture.ID, List.of(machine));
            assertThat(azure.state(AzureFixture.ID, machine)).isEqualTo(MachineState.RUNNING);
        }
    }
}
