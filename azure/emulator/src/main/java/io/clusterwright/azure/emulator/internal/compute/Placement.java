package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.http.Call;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Availability sets and proximity placement groups: both hold what refers to them, and cannot go while they do. */
public final class Placement extends ComputeKind {
    private final String property;

    private Placement(Cloud cloud, String type, String property) {
        super(cloud, type);
        this.property = property;
    }

    public static Placement availabilitySets(Cloud cloud) {
        return new Placement(cloud, SETS, "availabilitySet");
    }

    public static Placement proximityGroups(Cloud cloud) {
        return new Placement(cloud, PROXIMITY, "proximityPlacementGroup");
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        if (type().equals(PROXIMITY)) {
            Bodies.putDefault(properties, "proximityPlacementGroupType", "Standard");
            return;
        }
        Bodies.putDefault(Bodies.make(body, "sku"), "name", "Classic");
        Bodies.putDefault(properties, "platformUpdateDomainCount", 5);
        Bodies.putDefault(properties, "platformFaultDomainCount", 2);
        int faults = properties.path("platformFaultDomainCount").asInt();
        if (faults < 1 || faults > 3) {
            throw ArmException.invalid(
                    "platformFaultDomainCount",
                    "The specified fault domain count " + faults + " must fall in the range 1 to 3.");
        }
        String group = Bodies.text(properties, "proximityPlacementGroup", "id");
        if (!group.isEmpty()) {
            referenced(id, group, PROXIMITY);
        }
    }

    private Stream<String> members(Resource holder, String type) {
        return cloud.store()
                .ofType(type)
                .filter(each -> Bodies.text(each.body(), "properties", property, "id")
                        .equalsIgnoreCase(holder.id().toString()))
                .map(each -> each.id().toString());
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        List<String> members = Stream.of(MACHINES, SETS, SCALE_SETS)
                .flatMap(type -> members(resource, type))
                .toList();
        if (!members.isEmpty()) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    resource.id().name()
                            + " cannot be deleted. Before deleting it please ensure that it does not contain"
                            + " any of: " + String.join(", ", members) + ".");
        }
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        ObjectNode properties = Bodies.properties(view);
        if (type().equals(SETS)) {
            properties.remove("provisioningState");
            refer(properties.putArray("virtualMachines"), members(resource, MACHINES));
            return view;
        }
        properties.remove("provisioningState");
        refer(properties.putArray("virtualMachines"), members(resource, MACHINES));
        refer(properties.putArray("availabilitySets"), members(resource, SETS));
        refer(properties.putArray("virtualMachineScaleSets"), members(resource, SCALE_SETS));
        return view;
    }

    private static void refer(ArrayNode array, Stream<String> ids) {
        ids.forEach(id -> array.add(Bodies.reference(id)));
    }
}
