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

    private PlacementGroups() {}

    static ResourceType availabilitySets(Cloud cloud) {
        return ResourceType.of(ResourceType.AVAILABILITY_SETS)
                .rows(
                        MachineRules.name(),
                        MachineRules::references,
                        MachineRules.fixed("properties.platformUpdateDomainCount"),
                        MachineRules.fixed("properties.platformFaultDomainCount"),
                        MachineRules.fixed(GROUP),
                        Row.standard("sku.name", "Classic"),
                        Row.standard("properties.platformUpdateDomainCount", 5),
                        Row.standard("properties.platformFaultDomainCount", 2),
                        PlacementGroups::checkFaultDomains,
                        Row.reference(GROUP, ResourceType.PROXIMITY_GROUPS))
                // The published description knows no other answer than 200.
                .created(200)
                .deleteCheck(set -> requireEmpty(cloud, set, SET))
                .view((call, set, body) -> {
                    Bodies.properties(body).remove("provisioningState");
                    show(cloud, set, SET, body, "virtualMachines", ResourceType.MACHINES);
                });
    }

    static ResourceType proximityGroups(Cloud cloud) {
        return ResourceType.of(ResourceType.PROXIMITY_GROUPS)
                .rows(
                        MachineRules.name(),
                        MachineRules.fixed("properties.proximityPlacementGroupType"),
                        Row.standard("properties.proximityPlacementGroupType", "Standard"))
                .deleteCheck(group -> requireEmpty(cloud, group, GROUP))
                .view((call, group, body) -> {
                    Bodies.properties(body).remove("provisioningState");
                    show(cloud, group, GROUP, body, "virtualMachines", ResourceType.MACHINES);
                    show(cloud, group, GROUP, body, "availabilitySets", ResourceType.AVAILABILITY_SETS);
                    show(cloud, group, GROUP, body, "virtualMachineScaleSets", ResourceType.SCALE_SETS);
                });
    }

    private static void checkFaultDomains(Draft set) {
        refuse(!List.of("Classic", "Aligned").contains(set.text("sku.name")), "InvalidParameter.value", "sku.name");
        refuse(
                set.textBefore("sku.name").equals("Aligned")
                        && set.text("sku.name").equals("Classic"),
                "PropertyChangeNotAllowed",
                "sku.name");
        int faults = set.number("properties.platformFaultDomainCount", 0);
        refuse(faults < 1 || faults > 3, "InvalidParameter.faultDomains", faults);
        int updates = set.number("properties.platformUpdateDomainCount", 0);
        refuse(updates < 1 || updates > 20, "InvalidParameter.updateDomains", updates);
    }

    /** Refuses a machine whose set or group is absent, full, or not for it. */
    static void check(Draft machine) {
        refuse(!machine.text("properties.virtualMachineScaleSet.id").isEmpty(), "OperationNotAllowed.flexible");
        machine.referenced(SET, ResourceType.AVAILABILITY_SETS).ifPresent(set -> {
            refuse(!set.text("sku.name").equals("Aligned"), "OperationNotAllowed.unmanagedSet");
            refuse(!machine.at("zones").isEmpty(), "BadRequest.zoneAndSet", machine.name());
            String group = set.text(GROUP);
            refuse(
                    !group.equalsIgnoreCase(machine.text(GROUP))
                            && !machine.text(GROUP).isEmpty(),
                    "OperationNotAllowed.otherGroup",
                    machine.name(),
                    set.name());
            refuse(Quota.isSpot(machine.text("properties.priority")), "AzureSpotVMNotSupportedInAvailabilitySet");
            long members = members(machine.cloud(), set, SET, ResourceType.MACHINES)
                    .filter(each -> !each.id().key().equals(machine.id().key()))
                    .count();
            refuse(members >= LARGEST_SET, "OperationNotAllowed.fullSet", machine.text(SET));
        });
        machine.referenced(GROUP, ResourceType.PROXIMITY_GROUPS);
    }

    private static Stream<Resource> members(Cloud cloud, Resource holder, String path, String type) {
        return cloud.store()
                .ofType(type)
                .filter(each -> each.text(path).equalsIgnoreCase(holder.id().toString()));
    }

    private static void requireEmpty(Cloud cloud, Resource holder, String path) {
        List<String> members = Stream.of(ResourceType.MACHINES, ResourceType.AVAILABILITY_SETS, ResourceType.SCALE_SETS)
                .flatMap(type -> members(cloud, holder, path, type))
                .map(each -> each.id().toString())
                .toList();
        refuse(!members.isEmpty(), "OperationNotAllowed.members", holder.name(), String.join(", ", members));
    }

    private static void show(Cloud cloud, Resource holder, String path, ObjectNode body, String array, String type) {
        ArrayNode shown = Bodies.properties(body).putArray(array);
        members(cloud, holder, path, type).forEach(each -> shown.add(Bodies.reference(each.id())));
    }
}
