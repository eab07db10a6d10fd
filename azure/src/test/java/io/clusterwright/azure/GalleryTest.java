package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.internal.AzureProvider;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Captured images as versions of a Compute Gallery. */
class GalleryTest {
    private static final ClusterSpec SPEC = AzureFixture.spec(2);

    private static AzureProvider connect(ArmEmulator emulator) {
        return AzureFixture.open(AzureMachines.builder(
                        AzureFixture.pipeline(), AzureFixture.profile(emulator.url(), emulator.subscriptionId()))
                .privateAddresses(true)
                .gallery("hpc_images")
                .pollInterval(Duration.ofMillis(20))
                .build());
    }

    private static ArmEmulator emulator(Fault... faults) {
        return ArmEmulator.builder()
                .coresPerFamily(12_000)
                .regionalCores(12_000)
                .faults(List.of(faults))
                .start();
    }

    private static Machine machine(AzureProvider azure, MachineRequest request) {
        List<MachineOutcome> outcomes = new ArrayList<>();
        azure.createMachines(SPEC, List.of(request), new AzureFixture.Log(), outcomes::add);
        assertThat(outcomes).singleElement().isInstanceOf(MachineOutcome.Made.class);
        return ((MachineOutcome.Made) outcomes.get(0)).machine();
    }

    @Test
    void capturesAMachineAsAGalleryVersion() {
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(SPEC, new AzureFixture.Log());
            List<MachineRequest> requests = AzureFixture.requests(SPEC);
            azure.capture(AzureFixture.ID, machine(azure, requests.get(0)), "image-0123", 1);

            assertThat(azure.images()).extracting(StoredImage::name).containsExactly("image-0123");
            assertThat(emulator.requests())
                    .filteredOn(seen -> seen.method().equals("PUT"))
                    .extracting(seen -> seen.path().replaceFirst(".*/resourceGroups/clusterwright-images", ""))
                    .contains(
                            "/providers/Microsoft.Compute/galleries/hpc_images",
                            "/providers/Microsoft.Compute/galleries/hpc_images/images/image-0123",
                            "/providers/Microsoft.Compute/galleries/hpc_images/images/image-0123/versions/1.0.0")
                    .noneMatch(path -> path.startsWith("/providers/Microsoft.Compute/images/"));

            assertThat(azure.images()).noneMatch(StoredImage::proven);
            azure.proven("image-0123");
            assertThat(azure.images()).singleElement().matches(StoredImage::proven);

            MachineRequest other = requests.get(1);
            machine(
                    azure,
                    new MachineRequest(
                            other.name(),
                            other.address(),
                            other.size(),
                            new ImageSource.Captured("image-0123"),
                            other.bootstrap()));

            azure.deleteImage("image-0123");
            azure.deleteImage("image-0123");
            assertThat(azure.images()).isEmpty();
        }
    }

    @Test
    void aFailedVersionLeavesNothing() {
        Fault fails = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/versions/1.0.0");
        try (ArmEmulator emulator = emulator(fails);
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(SPEC, new AzureFixture.Log());
            Machine machine = machine(azure, AzureFixture.requests(SPEC).get(0));
            assertThatThrownBy(() -> azure.capture(AzureFixture.ID, machine, "image-0123", 1))
                    .isInstanceOf(AzureException.class)
                    .hasMessageContaining("create image image-0123");
            assertThat(azure.images()).isEmpty();
            assertThat(emulator.requests())
                    .filteredOn(seen -> seen.method().equals("DELETE"))
                    .anyMatch(seen ->
                            seen.path().endsWith("/images/image-0123") && seen.status() == 202 || seen.status() == 200);
        }
    }
}
