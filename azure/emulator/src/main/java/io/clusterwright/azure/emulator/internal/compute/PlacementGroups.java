package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.util.List;
import java.util.stream.Stream;

/** Availability sets and proximity placement groups: both hold what refers to them, and cannot go while they do. */
final class PlacementGroups {
    private static final String SET = "properties.availabilitySet.id";
    private static final String GROUP = "properties.proximityPlacementGroup.id";
    private static final int LARGEST_SET = 200;
    private static final List<String> MEMBERS =
            List.of(ResourceType.MACHINES, ResourceType.AVAILABILITY_SETS, ResourceType.SCALE_SETS);

    private PlacementGroups() {}

    static ResourceType availabilitySets(Cloud cloud) {
        return ResourceType.of(ResourceType.AVAILABILITY_SETS)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        MachineProfile::references,
                        Row.unchanged(
                                "properties.platformUpdateDomainCount", "properties.platformFaultDomainCount", GROUP),
                        Row.standard("sku.name", "Classic"),
                        Row.standard("properties.platformUpdateDomainCount", 5),
                        Row.standard("properties.platformFaultDomainCount", 2),
                        Row.oneOf("sku.name", "sku.name", "Classic", "Aligned"),
                        Row.refuse(
                                set -> set.textBefore("sku.name").equals("Aligned") && set.is("sku.name", "Classic"),
                                "PropertyChangeNotAllowed",
                                "sku.name"),
                        Row.range("properties.platformFaultDomainCount", 1, 3, "InvalidParameter.faultDomains"),
                        Row.range("properties.platformUpdateDomainCount", 1, 20, "InvalidParameter.updateDomains"),
                        Row.reference(GROUP, ResourceType.PROXIMITY_GROUPS))
                // The published description knows no other answer than 200.
                .created(200)
                .deleteCheck(set -> requireEmpty(cloud, set, SET))
                .view((call, set, body) -> show(cloud, set, SET, body, List.of(ResourceType.MACHINES)));
    }

    static ResourceType proximityGroups(Cloud cloud) {
        return ResourceType.of(ResourceType.PROXIMITY_GROUPS)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        Row.unchanged("properties.proximityPlacementGroupType"),
                        Row.standard("properties.proximityPlacementGroupType", "Standard"))
                .deleteCheck(group -> requireEmpty(cloud, group, GROUP))
                .view((call, group, body) -> show(cloud, group, GROUP, body, MEMBERS));
    }

    /** Refuses a machine whose set or group is absent, full, or not for it. */
    static void check(Draft machine) {
        refuse(machine.has("properties.virtualMachineScaleSet.id"), "OperationNotAllowed.flexible");
        machine.referenced(SET, ResourceType.AVAILABILITY_SETS).ifPresent(set -> {
            boolean other = machine.has(GROUP) && !set.is(GROUP, machine.text(GROUP));
            boolean spot = Quota.isSpot(machine.text("properties.priority"));
            long members = machine.others()
                    .filter(each -> each.is(SET, set.id().toString()))
                    .count();
            refuse(!set.is("sku.name", "Aligned"), "OperationNotAllowed.unmanagedSet");
            refuse(!machine.at("zones").isEmpty(), "BadRequest.zoneAndSet", machine.name());
            refuse(other, "OperationNotAllowed.otherGroup", machine.name(), set.name());
            refuse(spot, "AzureSpotVMNotSupportedInAvailabilitySet");
            refuse(members >= LARGEST_SET, "OperationNotAllowed.fullSet", machine.text(SET));
        });
        machine.referenced(GROUP, ResourceType.PROXIMITY_GROUPS);
    }

    private static Stream<Resource> members(Cloud cloud, Resource holder, String path, String type) {
        return cloud.store()
                .ofType(type)
                .filter(each -> each.is(path, holder.id().toString()));
    }

    private static void requireEmpty(Cloud cloud, Resource holder, String path) {
        List<String> members = MEMBERS.stream()
                .flatMap(type -> members(cloud, holder, path, type))
                .map(each -> each.id().toString())
                .toList();
        refuse(!members.isEmpty(), "OperationNotAllowed.members", holder.name(), String.join(", ", members));
    }

    /** Shows what is in a set or a group, by type. */
    private static void show(Cloud cloud, Resource holder, String path, ObjectNode body, List<String> types) {
        Bodies.properties(body).remove("provisioningState");
        for (String type : types) {
            ArrayNode shown = Bodies.properties(body).putArray(type.substring(type.indexOf('/') + 1));
            members(cloud, holder, path, type).forEach(each -> shown.add(Bodies.reference(each.id())));
        }
    }
}
