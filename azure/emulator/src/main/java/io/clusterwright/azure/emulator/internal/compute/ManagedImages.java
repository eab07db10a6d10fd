package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Json;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Managed images, captured from generalized machines. */
public final class ManagedImages extends ComputeKind {
    private final Machines machines;

    public ManagedImages(Cloud cloud, Machines machines) {
        super(cloud, IMAGES);
        this.machines = machines;
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Json.properties(body);
        if (keepsContent(properties, before, "sourceVirtualMachine", "id")) {
            return;
        }
        String source = Json.text(properties, "sourceVirtualMachine", "id");
        if (source.isEmpty()) {
            throw ArmException.invalid(
                    "sourceVirtualMachine",
                    "An image needs a source virtual machine here; disks and blobs are not emulated.");
        }
        Resource machine = referenced(id, source, MACHINES);
        if (machine.hidden(MachineViews.GENERALIZED).isEmpty()) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    "The Virtual Machine '" + machine.id().name()
                            + "' must be generalized before an image can be created from it.");
        }
        if (!machine.location().equals(Json.text(body, "location"))) {
            throw ArmException.invalid("location", "The image must be in the region of its source virtual machine.");
        }
        ObjectNode disk = Json.make(properties, "storageProfile", "osDisk");
        ObjectNode from = Json.make(machine.properties(), "storageProfile", "osDisk");
        disk.put("osType", Json.text(from, "osType"))
                .put("osState", "Generalized")
                .put("diskSizeGB", from.path("diskSizeGB").asInt())
                .put("caching", "ReadWrite")
                .put("storageAccountType", Json.text(from, "managedDisk", "storageAccountType"));
        disk.set("managedDisk", Json.reference(Json.text(from, "managedDisk", "id")));
        Json.make(properties, "storageProfile").withArray("/dataDisks");
        ObjectNode profile = Json.make(machine.properties(), "storageProfile");
        Json.putDefault(
                properties, "hyperVGeneration", new StorageProfiles(cloud).generation(profile, machine.location()));
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return Work.IMAGE;
    }

    @Override
    protected CompletableFuture<?> machines(Call call, Resource image, boolean created) {
        if (!created) {
            return NO_MACHINES;
        }
        ArmId source = ArmId.parse(Json.text(image.properties(), "sourceVirtualMachine", "id"));
        return machines.capture(source, image.id());
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.IMAGE;
    }
}
