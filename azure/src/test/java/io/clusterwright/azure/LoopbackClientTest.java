package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.AzureResourceManager;
import com.azure.resourcemanager.resources.models.ResourceGroup;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** A separate client of the SDK on an emulator. */
class LoopbackClientTest {

    @Test
    void theUmbrellaClientWorksOnAnEmulator() {
        try (ArmEmulator emulator = ArmEmulator.start()) {
            AzureProfile profile = AzureMachines.loopbackProfile(emulator.url(), emulator.subscriptionId());
            AzureResourceManager azure = AzureResourceManager.authenticate(
                            AzureMachines.loopbackPipeline(emulator.url()), profile)
                    .withDefaultSubscription();

            azure.resourceGroups().define("mine").withRegion("westeurope").create();

            assertThat(azure.resourceGroups().list())
                    .extracting(ResourceGroup::name)
                    .containsExactly("mine");
            assertThat(azure.virtualMachines().list()).isEmpty();
        }
    }

    @Test
    void noTokenLeavesThisMachine() {
        URI elsewhere = URI.create("http://192.0.2.1:80");
        assertThatThrownBy(() -> AzureMachines.loopbackPipeline(elsewhere))
                .hasMessageContaining("on this machine only");
        assertThatThrownBy(() -> AzureMachines.loopbackPipeline(elsewhere, Secret.of("token")))
                .hasMessageContaining("on this machine only");
    }
}
