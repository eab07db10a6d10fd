package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Compute galleries, their image definitions and versions. */
public final class Galleries extends ComputeKind {
    private static final String GALLERIES = "Microsoft.Compute/galleries";

    private final Machines machines;

    private Galleries(Cloud cloud, Machines machines, String type) {
        super(cloud, type);
        this.machines = machines;
    }

    /** The three types. */
    public static List<Galleries> all(Cloud cloud, Machines machines) {
        return List.of(
                new Galleries(cloud, machines, GALLERIES),
                new Galleries(cloud, machines, StorageProfiles.GALLERY_IMAGES),
                new Galleries(cloud, machines, StorageProfiles.GALLERY_VERSIONS));
    }

    private boolean isVersion() {
        return type().equals(StorageProfiles.GALLERY_VERSIONS);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        if (type().equals(GALLERIES)) {
            properties
                    .putObject("identifier")
                    .put("uniqueName", id.subscription() + "-" + id.name().toUpperCase(Locale.ROOT));
        } else if (isVersion()) {
            if (!keepsContent(properties, before, "storageProfile", "source", "virtualMachineId")) {
                fillVersion(id, properties, Bodies.text(body, "location"));
            }
        } else {
            for (String required : List.of("osType", "osState")) {
                if (Bodies.text(properties, required).isEmpty()) {
                    throw ArmException.invalid(
                            required,
                            "Required parameter 'galleryImage.properties." + required + "' is missing (null).");
                }
            }
            for (String required : List.of("publisher", "offer", "sku")) {
                if (Bodies.text(properties, "identifier", required).isEmpty()) {
                    throw ArmException.invalid(
                            required, "Required parameter 'galleryImage.properties.identifier' is missing (null).");
                }
            }
            Bodies.putDefault(properties, "hyperVGeneration", "V1");
        }
    }

    private void fillVersion(ArmId id, ObjectNode properties, String region) {
        if (!id.name().matches("\\d+\\.\\d+\\.\\d+")) {
            throw ArmException.invalid(
                    "galleryImageVersionName",
                    "The gallery image version name '" + id.name() + "' is not of the form Major.Minor.Patch.");
        }
        Resource source = source(id, properties);
        boolean generalized = Bodies.text(cloud.store().require(id.parent()).body(), "properties", "osState")
                .equals("Generalized");
        boolean machine = source.id().isOfType(MACHINES);
        if (machine && generalized != source.hidden(MachineViews.GENERALIZED).isPresent()) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    "The source virtual machine '" + source.id().name() + "' must "
                            + (generalized ? "" : "not ") + "be generalized: the image definition says "
                            + (generalized ? "Generalized." : "Specialized."));
        }
        ObjectNode profile = Bodies.make(properties, "publishingProfile");
        if (!profile.has("targetRegions")) {
            profile.putArray("targetRegions").addObject().put("name", region).put("regionalReplicaCount", 1);
        }
        Bodies.putDefault(profile, "replicaCount", 1);
        Bodies.putDefault(profile, "excludeFromLatest", false);
        profile.put("publishedDate", cloud.clock().now().toString());
    }

    private Resource source(ArmId id, ObjectNode properties) {
        String[] places = {
            Bodies.text(properties, "storageProfile", "source", "virtualMachineId"),
            Bodies.text(properties, "storageProfile", "source", "id"),
            Bodies.text(properties, "publishingProfile", "source", "managedImage", "id")
        };
        for (String place : places) {
            Optional<Resource> found =
                    cloud.store().find(place, MACHINES).or(() -> cloud.store().find(place, IMAGES));
            if (found.isPresent()) {
                return found.get();
            }
            if (!place.isEmpty()) {
                throw ArmException.badReference(place, id);
            }
        }
        throw ArmException.invalid("storageProfile.source", "A gallery image version needs a source.");
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return isVersion() ? Work.GALLERY_VERSION : Work.GALLERY;
    }

    @Override
    protected CompletableFuture<?> machines(Call call, Resource resource, boolean created) {
        if (!isVersion() || !created) {
            return NO_MACHINES;
        }
        Resource source = source(resource.id(), resource.properties());
        if (source.id().isOfType(IMAGES)) {
            resource.hide("content", StorageProfiles.captured(source).toString());
            return NO_MACHINES;
        }
        return machines.capture(source.id(), resource.id());
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        if (isVersion() && call.parameter("expand").orElse("").equalsIgnoreCase("ReplicationStatus")) {
            ObjectNode status =
                    Bodies.properties(view).putObject("replicationStatus").put("aggregatedState", "Completed");
            ArrayNode regions = status.putArray("summary");
            Bodies.objects(view.path("properties").path("publishingProfile").path("targetRegions"))
                    .forEach(region -> regions.addObject()
                            .put("region", Bodies.text(region, "name"))
                            .put("state", "Completed")
                            .put("progress", 100));
        }
        return view;
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        if (cloud.store().inside(resource.id()).isEmpty()) {
            return;
        }
        throw ArmException.conflict(
                "CannotDeleteResource",
                "Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '"
                        + cloud.store().inside(resource.id()).get(0).id()
                        + "'. Please delete all nested resources before deleting this resource.");
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.GALLERY;
    }
}
