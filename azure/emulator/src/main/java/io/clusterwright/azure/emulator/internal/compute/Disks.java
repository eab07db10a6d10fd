package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Json;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Managed disks; most come and go with a machine. */
public final class Disks extends ComputeKind {
    public Disks(Cloud cloud) {
        super(cloud, DISKS);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Json.properties(body);
        if (Json.text(properties, "creationData", "createOption").isEmpty()) {
            throw ArmException.invalid(
                    "creationData", "Required parameter 'disk.creationData.createOption' is missing (null).");
        }
        Json.putDefault(Json.make(body, "sku"), "name", "Standard_LRS");
        Json.putDefault(properties, "diskSizeGB", 30);
        Json.putDefault(properties, "diskState", "Unattached");
        Json.putDefault(properties, "uniqueId", UUID.randomUUID().toString());
        Json.putDefault(properties, "timeCreated", cloud.clock().now().toString());
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return Work.DISK;
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.DISK;
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        String owner = Json.text(resource.body(), "managedBy");
        if (!owner.isEmpty()) {
            throw ArmException.conflict(
                    "OperationNotAllowed", "Disk " + resource.id().name() + " is attached to VM " + owner + ".");
        }
    }
}
