package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Images of the marketplace with a plan. */
class MarketplaceTermsTest {
    private static final NodeName FIRST = new NodeName("cluster11");
    private static final ClusterSpec SPEC = AzureFixture.builder(1)
            .image(i -> i.base("almalinux:almalinux-hpc:8-hpc-gen2:latest"))
            .build();

    private final AzureFixture.Log log = new AzureFixture.Log();

    private Map<NodeName, MachineOutcome> create(AzureProvider azure) {
        azure.createNetwork(SPEC, log);
        return AzureFixture.create(azure, SPEC, log);
    }

    @Test
    void saysThatTheTermsOfAPlanAreNotAccepted() {
        try (TestAzure server = new TestAzure();
                AzureProvider azure = AzureFixture.machines(server)) {
            MachineOutcome.Failed failed = (MachineOutcome.Failed) create(azure).get(FIRST);

            assertThat(failed.cause())
                    .satisfies(AzureFixture.is(AzureException.Reason.TERMS))
                    .message()
                    .startsWith("create machine cluster11: MarketplacePurchaseEligibilityFailed: ")
                    .contains("You have not accepted the legal terms on this subscription")
                    .endsWith("; accept the terms of the plan once for the subscription: az vm image terms accept"
                            + " --publisher almalinux --offer almalinux-hpc --plan 8-hpc-gen2 --subscription "
                            + server.subscription());
        }
    }

    @Test
    void aCapturedImageKeepsThePlan() {
        try (TestAzure server = new TestAzure(emulator -> emulator.acceptedTerms());
                AzureProvider azure = AzureFixture.machines(server)) {
            Machine first = ((MachineOutcome.Made) create(azure).get(FIRST)).machine();
            azure.stop(AzureFixture.ID, List.of(first));
            azure.capture(AzureFixture.ID, first, "image-0123", "", 1);

            assertThat(server.traffic().all())
                    .filteredOn(each -> each.at("/request/path").asText().endsWith("/images/image-0123"))
                    .filteredOn(each -> each.at("/request/method").asText().equals("PUT"))
                    .singleElement()
                    .satisfies(image -> assertThat(image.at("/request/body/tags/clusterwright-plan")
                                    .asText())
                            .isEqualTo("almalinux:almalinux-hpc:8-hpc-gen2"));
        }
    }
}
