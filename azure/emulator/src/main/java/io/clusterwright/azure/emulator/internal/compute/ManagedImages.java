package io.clusterwright.azure.emulator.internal.compute;

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
import io.clusterwright.core.catalog.Architecture;
import java.util.concurrent.CompletableFuture;

/** Managed images, captured from generalized machines. */
final class ManagedImages {
    private static final String SOURCE = "properties.sourceVirtualMachine.id";

    private final Cloud cloud;
    private final Machines machines;
    private final StorageProfiles storage;

    ManagedImages(Cloud cloud, Machines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.IMAGES)
                .rows(
                        MachineRules.name(),
                        Row.fixed(SOURCE),
                        MachineRules.fixed("properties.hyperVGeneration"),
                        Row.onCreate(this::describe))
                .takes(Work.IMAGE, Work.IMAGE, Work.IMAGE)
                .machines((call, image, created) -> created ? capture(image) : ResourceType.NO_MACHINES);
    }

    private CompletableFuture<?> capture(Resource image) {
        ArmId source = ArmId.parse(Bodies.text(image.body(), SOURCE));
        image.hide(
                StorageProfiles.PLAN,
                MachineRules.plan(cloud.store().require(source).body().path("plan")));
        return machines.capture(source, image.id());
    }

    private void describe(Draft image) {
        if (image.text(SOURCE).isEmpty()) {
            throw ArmException.of("InvalidParameter.imageSource").at("sourceVirtualMachine");
        }
        if (image.before() == null
                && Bodies.at(image.body(), "properties.storageProfile.osDisk").size() > 0) {
            throw ArmException.of("InvalidParameter.value", "storageProfile.osDisk")
                    .at("storageProfile.osDisk");
        }
        Resource machine = image.require(image.text(SOURCE), ResourceType.MACHINES);
        if (machine.hidden(MachineViews.GENERALIZED).isEmpty()) {
            throw ArmException.of(
                    "OperationNotAllowed.notGeneralized", machine.id().name());
        }
        if (!machine.location().equals(image.region())) {
            throw ArmException.of("InvalidParameter.region").at("location");
        }
        if (Bodies.text(machine.properties(), "securityProfile.securityType").equals("TrustedLaunch")) {
            throw ArmException.of("OperationNotAllowed.trustedImage", "TrustedLaunch");
        }
        ObjectNode profile = Bodies.make(machine.properties(), "storageProfile");
        if (storage.architecture(Bodies.make(profile, "imageReference")) == Architecture.ARM64) {
            throw ArmException.of("OperationNotAllowed.armImage", "Arm64");
        }
        String generation = storage.generation(profile);
        String wanted = image.text("properties.hyperVGeneration");
        if (!wanted.isEmpty() && !wanted.equals(generation)) {
            throw ArmException.of("InvalidParameter.imageGeneration", wanted, generation, machine.id())
                    .at("hyperVGeneration");
        }
        ObjectNode from = Bodies.make(profile, "osDisk");
        Bodies.make(image.body(), "properties.storageProfile.osDisk")
                .put("osType", Bodies.text(from, "osType"))
                .put("osState", "Generalized")
                .put("diskSizeGB", from.path("diskSizeGB").asInt())
                .put("caching", "ReadWrite")
                .put("storageAccountType", Bodies.text(from, "managedDisk.storageAccountType"))
                .set("managedDisk", Bodies.reference(Bodies.text(from, "managedDisk.id")));
        Bodies.array(image.body(), "properties.storageProfile.dataDisks");
        Bodies.standard(image.body(), "properties.hyperVGeneration", storage.generation(profile));
    }
}
