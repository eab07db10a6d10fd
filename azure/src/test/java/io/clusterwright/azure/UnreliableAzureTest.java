package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Machines on an Azure where a third of them fails by chance. */
class UnreliableAzureTest {
    private final AzureFixture.Log log = new AzureFixture.Log();

    @Test
    void reportsEachMachineOnceAndRemovesEverything() {
        try (TestAzure server = new TestAzure(emulator -> emulator.virtualTime().unreliable(0.3, 3));
                AzureProvider azure = AzureFixture.machines(server)) {
            ClusterSpec spec = AzureFixture.spec(30);
            azure.createNetwork(spec, log);

            Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

            assertThat(outcomes.keySet())
                    .containsExactlyInAnyOrderElementsOf(spec.nodes().names());
            List<MachineOutcome.Failed> failed = outcomes.values().stream()
                    .filter(MachineOutcome.Failed.class::isInstance)
                    .map(MachineOutcome.Failed.class::cast)
                    .toList();
            assertThat(failed).hasSizeBetween(3, 20);
            assertThat(failed)
                    .allSatisfy(each -> assertThat(each.cause())
                            .isInstanceOf(AzureException.class)
                            .message()
                            .containsAnyOf("AllocationFailed", "OSProvisioningTimedOut"));
            List<ResourceId> reversed = new ArrayList<>(log.announced);
            Collections.reverse(reversed);
            reversed.forEach(resource -> azure.delete(AzureFixture.ID, resource));
            assertThat(azure.remaining(AzureFixture.ID)).isEmpty();
            assertThat(server.ids()).isEmpty();
        }
    }
}
