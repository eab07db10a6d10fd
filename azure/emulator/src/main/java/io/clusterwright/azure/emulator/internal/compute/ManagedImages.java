package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
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
        ObjectNode properties = Bodies.properties(body);
        if (keepsContent(properties, before, "sourceVirtualMachine", "id")) {
            return;
        }
        String source = Bodies.text(properties, "sourceVirtualMachine", "id");
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
        if (!machine.location().equals(Bodies.text(body, "location"))) {
            throw ArmException.invalid("location", "The image must be in the region of its source virtual machine.");
        }
        ObjectNode disk = Bodies.make(properties, "storageProfile", "osDisk");
        ObjectNode from = Bodies.make(machine.properties(), "storageProfile", "osDisk");
        disk.put("osType", Bodies.text(from, "osType"))
                .put("osState", "Generalized")
                .put("diskSizeGB", from.path("diskSizeGB").asInt())
                .put("caching", "ReadWrite")
                .put("storageAccountType", Bodies.text(from, "managedDisk", "storageAccountType"));
        disk.set("managedDisk", Bodies.reference(Bodies.text(from, "managedDisk", "id")));
        Bodies.make(properties, "storageProfile").withArray("/dataDisks");
        ObjectNode profile = Bodies.make(machine.properties(), "storageProfile");
        Bodies.putDefault(
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
        ArmId source = ArmId.parse(Bodies.text(image.properties(), "sourceVirtualMachine", "id"));
        return machines.capture(source, image.id());
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.IMAGE;
    }
}
