package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ImageSpec.Security;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Captured images as versions of a Compute Gallery. */
class GalleryTest {
    private static final ClusterSpec SPEC = AzureFixture.spec(2);
    private static final String OWNER = "00000000000000ab";

    private static AzureProvider connect(ArmEmulator emulator) {
        return connect(emulator, false);
    }

    private static AzureProvider connect(ArmEmulator emulator, boolean managedImages) {
        return AzureFixture.open(AzureMachines.builder(
                        AzureFixture.pipeline(), AzureFixture.profile(emulator.url(), emulator.subscriptionId()))
                .privateAddresses(true)
                .gallery("hpc_images")
                .managedImages(managedImages)
                .pollInterval(Duration.ofMillis(20))
                .build());
    }

    private static ArmEmulator emulator(Fault... faults) {
        return ArmEmulator.builder()
                .coresPerFamily(12_000)
                .regionalCores(12_000)
                .retryAfter(Duration.ZERO)
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
            azure.capture(AzureFixture.ID, machine(azure, requests.get(0)), "image-0123", OWNER, 1);

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
            assertThat(azure.images())
                    .singleElement()
                    .matches(StoredImage::proven)
                    .returns(OWNER, StoredImage::owner);
            assertThat(tags(emulator).path("clusterwright-owner").asText()).isEqualTo(OWNER);

            MachineRequest other = requests.get(1);
            machine(
                    azure,
                    new MachineRequest(
                            other.name(),
                            other.address(),
                            other.size(),
                            new ImageSource.Captured("image-0123"),
                            other.bootstrap()));

            assertThat(azure.imageUsers()).isEqualTo(Map.of("image-0123", List.of(AzureFixture.ID)));
            assertThat(azure.images()).extracting(StoredImage::billedCopies).containsExactly(1);

            azure.deleteImage("image-0123");
            azure.deleteImage("image-0123");
            assertThat(azure.images()).isEmpty();
        }
    }

    @Test
    void oneClusterBuildsAnImageWhileOthersWait() throws InterruptedException {
        ClusterId other = ClusterId.random(ClusterName.of("other"));
        ClusterId third = ClusterId.random(ClusterName.of("third"));
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator);
                AzureProvider elsewhere = connect(emulator)) {
            ImageClaim undone = azure.claimImage(AzureFixture.ID, "image-0123", "");
            assertThat(undone.builder()).as("there is nothing to claim").isEmpty();
            undone.close();
            assertThat(emulator.requests()).allMatch(seen -> seen.method().equals("GET"));

            ImageClaim first = azure.claimImage(AzureFixture.ID, "image-0123", SPEC.requireRegion());
            assertThat(first.builder()).isEmpty();
            ImageClaim waiting = elsewhere.claimImage(other, "image-0123", SPEC.requireRegion());
            assertThat(waiting.builder()).contains("cluster " + AzureFixture.ID.name());
            waiting.awaitChange();
            waiting.close();
            ImageClaim different = elsewhere.claimImage(other, "image-4567", SPEC.requireRegion());
            assertThat(different.builder()).isEmpty();
            different.close();
            assertThat(azure.images()).isEmpty();

            // The cluster of a process that ended goes on, and later clears up.
            ImageClaim again = elsewhere.claimImage(AzureFixture.ID, "image-0123", "");
            assertThat(again.builder()).isEmpty();
            again.close();
            assertThat(claims(emulator)).isEmpty();

            azure.claimImage(AzureFixture.ID, "image-0123", SPEC.requireRegion());
            String abandoned = claims(emulator).get(0);
            AzureFixture.patch(
                    emulator,
                    abandoned,
                    "2024-03-03",
                    "{\"tags\":{\"clusterwright-building\":\"image-0123\",\"clusterwright-builder\":\"gone\","
                            + "\"clusterwright-building-until\":\"2020-01-01T00:00:00Z\"}}");
            List<ImageClaim> both = Collections.synchronizedList(new ArrayList<>());
            Tasks.forEach("claim", 2, List.of(other, third), cluster -> {
                AzureProvider provider = cluster.equals(other) ? azure : elsewhere;
                both.add(provider.claimImage(cluster, "image-0123", SPEC.requireRegion()));
            });
            assertThat(both)
                    .as("one of two takes an abandoned claim over")
                    .filteredOn(claim -> claim.builder().isEmpty())
                    .hasSize(1);
            both.forEach(ImageClaim::close);
            assertThat(claims(emulator)).isEmpty();
        }
    }

    private static List<String> claims(ArmEmulator emulator) {
        List<String> claims = new ArrayList<>();
        AzureFixture.get(
                        emulator,
                        "/subscriptions/" + emulator.subscriptionId()
                                + "/resourceGroups/clusterwright-images/providers/Microsoft.Compute/galleries/hpc_images/images",
                        "2024-03-03")
                .path("value")
                .forEach(claim -> claims.add(claim.path("id").asText()));
        return claims;
    }

    @Test
    void keepsAReplicaForEveryTwentyMachinesAndAddsThoseThatALaterCreationNeeds() throws InterruptedException {
        ClusterSpec many = AzureFixture.spec(41);
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(many, new AzureFixture.Log());
            List<MachineRequest> requests = AzureFixture.requests(many);
            Machine template = machine(azure, requests.get(0));
            azure.capture(AzureFixture.ID, template, "image-0123", "", 21);
            assertThat(replicas(emulator)).isEqualTo(2);
            azure.delete(AzureFixture.ID, template.resource());

            boot(azure, many, requests.subList(0, 21));
            assertThat(patches(emulator)).isZero();
            boot(azure, many, requests.subList(21, 41));
            assertThat(patches(emulator)).isZero();
            ResourceNames names = new ResourceNames(emulator.subscriptionId(), many);
            Tasks.forEach(
                    "delete",
                    requests.size(),
                    requests,
                    request -> azure.delete(AzureFixture.ID, ResourceNames.resource(names.machine(request.name()))));

            boot(azure, many, requests);
            assertThat(patches(emulator)).isEqualTo(1);
            assertThat(replicas(emulator)).isEqualTo(3);
        }
    }

    @Test
    void aMachineWithTrustedLaunchBecomesAnImageForSuchMachinesOnly() {
        ClusterSpec trusted = AzureFixture.builder(2)
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest").security(Security.TRUSTED_LAUNCH))
                .build();
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(trusted, new AzureFixture.Log());
            List<MachineRequest> requests = AzureFixture.requests(trusted);
            List<MachineOutcome> outcomes = new ArrayList<>();
            azure.createMachines(trusted, requests.subList(0, 1), new AzureFixture.Log(), outcomes::add);
            Machine template = ((MachineOutcome.Made) outcomes.get(0)).machine();
            JsonNode profile = AzureFixture.get(emulator, template.resource().name(), "2025-11-01")
                    .at("/properties/securityProfile");
            assertThat(profile.path("securityType").asText()).isEqualTo("TrustedLaunch");
            assertThat(profile.at("/uefiSettings/vTpmEnabled").asBoolean()).isTrue();
            assertThat(profile.at("/uefiSettings/secureBootEnabled").asBoolean())
                    .isFalse();

            azure.capture(AzureFixture.ID, template, "image-0123", "", 2);
            String definition = "/subscriptions/" + emulator.subscriptionId()
                    + "/resourceGroups/clusterwright-images/providers/Microsoft.Compute/galleries/hpc_images/images/image-0123";
            assertThat(AzureFixture.get(emulator, definition, "2024-03-03")
                            .at("/properties/features/0/value")
                            .asText())
                    .isEqualTo("TrustedLaunch");
            boot(azure, trusted, requests.subList(1, 2));

            ClusterSpec standard = AzureFixture.builder(1)
                    .image(i -> i.base(definition + "/versions/1.0.0"))
                    .build();
            assertThat(azure.inspect(standard).findings())
                    .filteredOn(finding -> finding.code().equals("CW-AZURE-033"))
                    .singleElement()
                    .matches(finding -> finding.message().endsWith("boots on machines with TrustedLaunch only"));
        }
    }

    @Test
    void machinesAndImagesAreStandardWhereNothingElseIsWritten() {
        try (ArmEmulator emulator = emulator();
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(SPEC, new AzureFixture.Log());
            Machine template = machine(azure, AzureFixture.requests(SPEC).get(0));
            assertThat(AzureFixture.get(emulator, template.resource().name(), "2025-11-01")
                            .at("/properties/securityProfile/securityType")
                            .asText())
                    .isEqualTo("Standard");
            azure.capture(AzureFixture.ID, template, "image-0123", "", 2);
            String definition = "/subscriptions/" + emulator.subscriptionId()
                    + "/resourceGroups/clusterwright-images/providers/Microsoft.Compute/galleries/hpc_images/images/image-0123";
            assertThat(AzureFixture.get(emulator, definition, "2024-03-03")
                            .at("/properties/features/0/value")
                            .asText())
                    .isEqualTo("Standard");
        }
    }

    @Test
    void managedImagesOfBeforeAreUsedListedAndDeleted() {
        try (ArmEmulator emulator = emulator();
                AzureProvider before = connect(emulator, true);
                AzureProvider azure = connect(emulator)) {
            before.createNetwork(SPEC, new AzureFixture.Log());
            List<MachineRequest> requests = AzureFixture.requests(SPEC);
            before.capture(AzureFixture.ID, machine(before, requests.get(0)), "image-0123", OWNER, 2);
            assertThat(emulator.requests())
                    .noneMatch(
                            seen -> seen.method().equals("PUT") && seen.path().contains("/galleries/"));

            azure.proven("image-0123");
            assertThat(azure.images())
                    .singleElement()
                    .returns("image-0123", StoredImage::name)
                    .returns(OWNER, StoredImage::owner);
            boot(azure, SPEC, requests.subList(1, 2));
            azure.deleteImage("image-0123");
            assertThat(azure.images()).isEmpty();
        }
    }

    private static void boot(AzureProvider azure, ClusterSpec spec, List<MachineRequest> requests) {
        List<MachineOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        azure.createMachines(
                spec,
                requests.stream()
                        .map(request -> new MachineRequest(
                                request.name(),
                                request.address(),
                                request.size(),
                                new ImageSource.Captured("image-0123"),
                                request.bootstrap()))
                        .toList(),
                new AzureFixture.Log(),
                outcomes::add);
        assertThat(outcomes).hasSameSizeAs(requests).allMatch(MachineOutcome.Made.class::isInstance);
    }

    private static long patches(ArmEmulator emulator) {
        return emulator.requests().stream()
                .filter(seen -> seen.method().equals("PATCH") && seen.path().endsWith("/versions/1.0.0"))
                .count();
    }

    private static JsonNode version(ArmEmulator emulator) {
        return AzureFixture.get(
                emulator,
                "/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/clusterwright-images/providers"
                        + "/Microsoft.Compute/galleries/hpc_images/images/image-0123/versions/1.0.0",
                "2024-03-03");
    }

    private static JsonNode tags(ArmEmulator emulator) {
        return version(emulator).path("tags");
    }

    private static int replicas(ArmEmulator emulator) {
        JsonNode version = version(emulator);
        assertThat(version.at("/properties/publishingProfile/targetRegions")).hasSize(1);
        return version.at("/properties/publishingProfile/targetRegions/0/regionalReplicaCount")
                .asInt();
    }

    @Test
    void aFailedVersionLeavesNothing() {
        Fault fails = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/versions/1.0.0");
        try (ArmEmulator emulator = emulator(fails);
                AzureProvider azure = connect(emulator)) {
            azure.createNetwork(SPEC, new AzureFixture.Log());
            Machine machine = machine(azure, AzureFixture.requests(SPEC).get(0));
            assertThatThrownBy(() -> azure.capture(AzureFixture.ID, machine, "image-0123", "", 1))
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
