package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The terms of purchase plans of images. */
class TermsTest {
    @Test
    void areFoundWithTheCommandThatAcceptsThemAndRefusedByAzureBefore() {
        try (ArmEmulator emulator = ArmEmulator.builder().start();
                AzureProvider azure =
                        AzureFixture.open(AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                                .pollInterval(Duration.ofMillis(20))
                                .build())) {
            ClusterSpec spec = AzureFixture.builder(1)
                    .image(i -> i.base("almalinux:almalinux-hpc:8-hpc-gen2:latest"))
                    .build();

            assertThat(azure.inspect(spec).findings())
                    .filteredOn(finding -> finding.code().equals("CW-AZURE-031"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.isError()).isTrue();
                        assertThat(finding.message()).contains("almalinux:almalinux-hpc:8-hpc-gen2 are not accepted");
                        assertThat(finding.remedy())
                                .containsPattern(
                                        "az vm image terms accept --urn almalinux:almalinux-hpc:8-hpc-gen2:1\\.0\\.\\d+"
                                                + " --subscription " + emulator.subscriptionId());
                    });
            azure.createNetwork(spec, new AzureFixture.Log());
            assertThat(AzureFixture.create(azure, spec, new AzureFixture.Log()).values())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            MachineOutcome.Failed.class,
                            failed -> assertThat(failed.cause())
                                    .hasMessageContaining("MarketplacePurchaseEligibilityFailed")
                                    .hasMessageContaining("az vm image terms accept"));

            azure.acceptTerms("almalinux:almalinux-hpc:8-hpc-gen2");
            assertThat(azure.inspect(spec).findings()).extracting(Finding::code).doesNotContain("CW-AZURE-031");
            assertThat(AzureFixture.create(azure, spec, new AzureFixture.Log()).values())
                    .singleElement()
                    .isInstanceOf(MachineOutcome.Made.class);
        }
    }
}
