package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.catalog.Architecture;
import java.util.concurrent.CompletableFuture;

/** Managed images, captured from generalized machines. */
final class EmulatedImages {
    private static final String SOURCE = "properties.sourceVirtualMachine.id";
    private static final String GENERATION = "properties.hyperVGeneration";
    private static final String DISK = "properties.storageProfile.osDisk";

    private final Cloud cloud;
    private final BackingMachines machines;
    private final StorageProfiles storage;

    EmulatedImages(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.IMAGES)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        Row.fixed(SOURCE),
                        Row.unchanged(GENERATION),
                        Row.onCreate(
                                Row.refuse(image -> !image.has(SOURCE), "InvalidParameter.imageSource"),
                                this::describe))
                .takes(Work.IMAGE, Work.IMAGE, Work.IMAGE)
                .machines((call, image, created) -> created ? capture(image) : ResourceType.NO_MACHINES);
    }

    private CompletableFuture<?> capture(Resource image) {
        ResourcePath source = ResourcePath.of(image.text(SOURCE));
        image.hide(
                StorageProfiles.PLAN,
                MachineProfile.plan(cloud.store().require(source).at("plan")));
        return machines.capture(source, image.id());
    }

    private void describe(Draft image) {
        refuseValue(image.at(DISK).size() > 0, "storageProfile.osDisk");
        Resource machine = image.require(image.text(SOURCE), ResourceType.MACHINES);
        boolean trusted = machine.is("properties.securityProfile.securityType", "TrustedLaunch");
        refuse(!MachineViews.isGeneralized(machine), "OperationNotAllowed.notGeneralized", machine.name());
        refuse(!machine.location().equals(image.region()), "InvalidParameter.region");
        refuse(trusted, "OperationNotAllowed.trustedImage", "TrustedLaunch");
        ObjectNode profile = machine.make("properties.storageProfile");
        boolean arm = storage.architecture(Bodies.make(profile, "imageReference")) == Architecture.ARM64;
        refuse(arm, "OperationNotAllowed.armImage", "Arm64");
        String generation = storage.generation(profile);
        image.standard(GENERATION, generation);
        String wanted = image.text(GENERATION);
        refuse(!wanted.equals(generation), "InvalidParameter.imageGeneration", wanted, generation, machine.id());
        ObjectNode from = Bodies.make(profile, "osDisk");
        image.make(DISK)
                .put("osType", Bodies.text(from, "osType"))
                .put("osState", "Generalized")
                .put("diskSizeGB", from.path("diskSizeGB").asInt())
                .put("caching", "ReadWrite")
                .put("storageAccountType", Bodies.text(from, "managedDisk.storageAccountType"))
                .set("managedDisk", Bodies.reference(Bodies.text(from, "managedDisk.id")));
        image.array("properties.storageProfile.dataDisks");
    }
}
