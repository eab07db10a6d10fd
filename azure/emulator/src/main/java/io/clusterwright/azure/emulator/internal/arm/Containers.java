package io.clusterwright.azure.emulator.internal.arm;

/** What a resource lives in. */
public final class Containers {
    private Containers() {}

    public static void requireGroup(Cloud cloud, ArmId id) {
        cloud.store().require(id.groupId());
    }

    /** Refuses a resource whose group or parent is not there, or on its way out. */
    public static void requireParent(Cloud cloud, ArmId id) {
        if (id.isGroup()) {
            return;
        }
        Resource group = cloud.store().require(id.groupId());
        if (group.state().equals("Deleting")) {
            throw ArmException.conflict(
                    "ResourceGroupBeingDeleted",
                    "The resource group '" + id.group()
                            + "' is in deprovisioning state and cannot perform this operation.");
        }
        if (id.isChild() && cloud.store().find(id.parent()).isEmpty()) {
            throw ArmException.of(
                    404,
                    "ParentResourceNotFound",
                    "Can not perform requested operation on nested resource. Parent resource '"
                            + id.parent().name() + "' not found.");
        }
    }

    /** The region of the nearest thing around it that has one. */
    public static String location(Cloud cloud, ArmId id) {
        ArmId here = id;
        while (true) {
            String location = cloud.store().find(here).map(Resource::location).orElse("");
            if (!location.isEmpty() || here.isGroup()) {
                return location;
            }
            here = here.parent();
        }
    }
}
