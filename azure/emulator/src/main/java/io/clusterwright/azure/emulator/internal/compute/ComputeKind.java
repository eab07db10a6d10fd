package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceKind;
import io.clusterwright.core.internal.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Base of the resource types of Microsoft.Compute. */
abstract class ComputeKind extends ResourceKind {
    static final String MACHINES = "Microsoft.Compute/virtualMachines";
    static final String SETS = "Microsoft.Compute/availabilitySets";
    static final String PROXIMITY = "Microsoft.Compute/proximityPlacementGroups";
    static final String IMAGES = "Microsoft.Compute/images";
    static final String DISKS = "Microsoft.Compute/disks";
    static final String SCALE_SETS = "Microsoft.Compute/virtualMachineScaleSets";
    static final String INSTANCES = SCALE_SETS + "/virtualMachines";
    static final String INSTANCE_INTERFACES = INSTANCES + "/networkInterfaces";

    ComputeKind(Cloud cloud, String type) {
        super(cloud, type);
    }

    Resource referenced(ArmId by, String reference, String type) {
        return cloud.store().find(reference, type).orElseThrow(() -> ArmException.badReference(reference, by));
    }

    /** Whether a stored image is changed without its content: what it was made from may be gone, and must be the same. */
    static boolean keepsContent(ObjectNode properties, @Nullable Resource before, String... source) {
        if (before == null) {
            return false;
        }
        if (!Bodies.text(properties, source).equalsIgnoreCase(Bodies.text(before.properties(), source))) {
            throw ArmException.conflict(
                    "PropertyChangeNotAllowed", "Changing property '" + String.join(".", source) + "' is not allowed.");
        }
        return true;
    }

    static ObjectNode status(String code, String display, Instant time) {
        return Json.object()
                .put("code", code)
                .put("level", code.contains("ailed") ? "Error" : "Info")
                .put("displayStatus", display)
                .put("time", time.toString());
    }
}
