package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search for images, against the emulated marketplace, which holds those of the catalog. */
class ImageSearchTest {

    @Test
    void findsImagesOfAPublisherByPattern() {
        try (ArmEmulator emulator = ArmEmulator.builder().start()) {
            AzureMachines azure = AzureMachines.connect(
                    AzureFixture.pipeline(), AzureFixture.profile(emulator.url(), emulator.subscriptionId()));
            assertThat(azure.imagePublishers("westeurope")).contains("microsoft-dsvm", "almalinux", "SUSE");

            List<AzureImage> ubuntu = azure.searchImages("westeurope", "microsoft-dsvm", "ubuntu-hpc:2[02]04$");
            assertThat(ubuntu).isNotEmpty().allSatisfy(image -> {
                assertThat(image.reference().offer()).isEqualTo("ubuntu-hpc");
                assertThat(image.reference().isLatest()).isFalse();
                assertThat(image.generation()).isEqualTo("V2");
                assertThat(image.plan()).isEmpty();
                assertThat(image.acceptTerms()).isEmpty();
            });
            assertThat(azure.searchImages("westeurope", "almalinux", "hpc"))
                    .filteredOn(image -> !image.plan().isEmpty())
                    .isNotEmpty()
                    .allSatisfy(image -> assertThat(image.acceptTerms())
                            .isEqualTo("az vm image terms accept --urn " + image.reference()));
            assertThat(azure.searchImages("westeurope", "no-such-publisher", "."))
                    .isEmpty();
        }
    }
}
