package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Managed disks; most come and go with a machine. */
public final class Disks extends ComputeKind {
    public Disks(Cloud cloud) {
        super(cloud, DISKS);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        if (Bodies.text(properties, "creationData", "createOption").isEmpty()) {
            throw ArmException.invalid(
                    "creationData", "Required parameter 'disk.creationData.createOption' is missing (null).");
        }
        Bodies.putDefault(Bodies.make(body, "sku"), "name", "Standard_LRS");
        Bodies.putDefault(properties, "diskSizeGB", 30);
        Bodies.putDefault(properties, "diskState", "Unattached");
        Bodies.putDefault(properties, "uniqueId", UUID.randomUUID().toString());
        Bodies.putDefault(properties, "timeCreated", cloud.clock().now().toString());
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
        String owner = Bodies.text(resource.body(), "managedBy");
        if (!owner.isEmpty()) {
            throw ArmException.conflict(
                    "OperationNotAllowed", "Disk " + resource.id().name() + " is attached to VM " + owner + ".");
        }
    }
}
