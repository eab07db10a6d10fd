package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Compute galleries, their image definitions and versions. */
final class Galleries {
    private static final List<String> SOURCES = List.of(
            "properties.storageProfile.source.virtualMachineId",
            "properties.storageProfile.source.id",
            "properties.publishingProfile.source.managedImage.id");

    private final Cloud cloud;
    private final Machines machines;

    Galleries(Cloud cloud, Machines machines) {
        this.cloud = cloud;
        this.machines = machines;
    }

    private ResourceType of(String name, Work work) {
        return ResourceType.of(name).takes(work, work, Work.GALLERY).deleteCheck(this::requireEmpty);
    }

    ResourceType type() {
        return of(ResourceType.GALLERIES, Work.GALLERY)
                .rows(draft -> draft.properties()
                        .putObject("identifier")
                        .put(
                                "uniqueName",
                                draft.id().subscription() + "-"
                                        + draft.id().name().toUpperCase(Locale.ROOT)));
    }

    ResourceType images() {
        return of(ResourceType.GALLERY_IMAGES, Work.GALLERY)
                .rows(
                        required("osType", "osType"),
                        required("osState", "osState"),
                        required("identifier.publisher", "identifier"),
                        required("identifier.offer", "identifier"),
                        required("identifier.sku", "identifier"),
                        Row.standard("properties.hyperVGeneration", "V1"));
    }

    private static Row required(String path, String parameter) {
        return Row.required(
                "properties." + path, path.substring(path.indexOf('.') + 1), "galleryImage.properties." + parameter);
    }

    ResourceType versions() {
        return of(ResourceType.GALLERY_VERSIONS, Work.GALLERY_VERSION)
                .rows(Row.fixed(SOURCES.get(0)), Row.onCreate(this::checkSource, this::publish))
                .machines((call, version, created) -> created ? capture(version) : ResourceType.NO_MACHINES)
                .view((call, version, body) -> showReplication(call, body));
    }

    private void checkSource(Draft version) {
        if (!version.id().name().matches("\\d+\\.\\d+\\.\\d+")) {
            throw ArmException.of("InvalidParameter.versionName", version.id().name())
                    .at("galleryImageVersionName");
        }
        Resource source = source(version.id(), version.body());
        boolean generalized = Bodies.text(
                        cloud.store().require(version.id().parent()).body(), "properties.osState")
                .equals("Generalized");
        if (source.id().isOfType(ResourceType.MACHINES)
                && generalized != source.hidden(MachineViews.GENERALIZED).isPresent()) {
            throw ArmException.of(
                    "OperationNotAllowed.imageSource",
                    source.id().name(),
                    generalized ? "" : "not ",
                    generalized ? "Generalized." : "Specialized.");
        }
    }

    private void publish(Draft version) {
        ObjectNode profile = Bodies.make(version.body(), "properties.publishingProfile");
        if (!profile.has("targetRegions")) {
            profile.putArray("targetRegions")
                    .addObject()
                    .put("name", version.region())
                    .put("regionalReplicaCount", 1);
        }
        Bodies.standard(profile, "replicaCount", 1);
        Bodies.standard(profile, "excludeFromLatest", false);
        profile.put("publishedDate", cloud.clock().now().toString());
    }

    private Resource source(ArmId id, ObjectNode version) {
        for (String path : SOURCES) {
            String place = Bodies.text(version, path);
            Optional<Resource> found = cloud.store()
                    .find(place, ResourceType.MACHINES)
                    .or(() -> cloud.store().find(place, ResourceType.IMAGES));
            if (found.isPresent()) {
                return found.get();
            }
            if (!place.isEmpty()) {
                throw ArmException.badReference(place, id);
            }
        }
        throw ArmException.of("InvalidParameter.versionSource").at("storageProfile.source");
    }

    private CompletableFuture<?> capture(Resource version) {
        Resource source = source(version.id(), version.body());
        if (source.id().isOfType(ResourceType.IMAGES)) {
            version.hide(
                    StorageProfiles.CONTENT, StorageProfiles.captured(source).toString());
            return ResourceType.NO_MACHINES;
        }
        return machines.capture(source.id(), version.id());
    }

    private static void showReplication(Call call, ObjectNode version) {
        if (!call.query("expand").equalsIgnoreCase("ReplicationStatus")) {
            return;
        }
        ObjectNode status = Bodies.make(version, "properties.replicationStatus").put("aggregatedState", "Completed");
        ArrayNode regions = status.putArray("summary");
        Bodies.objects(version, "properties.publishingProfile.targetRegions")
                .forEach(region -> regions.addObject()
                        .put("region", Bodies.text(region, "name"))
                        .put("state", "Completed")
                        .put("progress", 100));
    }

    private void requireEmpty(Resource gallery) {
        cloud.store().inside(gallery.id()).stream().findFirst().ifPresent(nested -> {
            throw ArmException.of("CannotDeleteResource", nested.id());
        });
    }
}
