package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.util.List;
import java.util.Set;

/** Settings that a type of managed disk has or lacks: performance, tiers, shares, zones and caching. */
final class DiskTypes {
    private static final Set<String> ADJUSTABLE = Set.of("UltraSSD_LRS", "PremiumV2_LRS");
    private static final List<String> TIERS =
            List.of("P1", "P2", "P3", "P4", "P6", "P10", "P15", "P20", "P30", "P40", "P50", "P60", "P70", "P80");
    private static final List<Integer> TIER_SIZES =
            List.of(4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_767);
    private static final int FEWEST_SHARES = 3;
    private static final int MEDIUM_SHARES = 5;
    private static final int MANY_SHARES = 10;
    private static final int ADJUSTABLE_SHARES = 15;
    private static final String SECTOR = "properties.creationData.logicalSectorSize";
    private static final int MOST_OPERATIONS = 400_000;
    private static final int MOST_MEGABYTES = 10_000;
    private static final int LAST_SMALL = 512;
    private static final int LAST_MEDIUM = 4096;

    private DiskTypes() {}

    static boolean isAdjustable(String type) {
        return ADJUSTABLE.contains(type);
    }

    private static boolean isPremium(String type) {
        return type.equals("Premium_LRS") || type.equals("Premium_ZRS");
    }

    /** Refuses settings of a disk that its type does not have. */
    static void check(Draft disk) {
        String type = disk.text("sku.name");
        int gib = disk.number("properties.diskSizeGB", 1);
        for (String name : List.of("diskIOPSReadWrite", "diskMBpsReadWrite", "diskIOPSReadOnly", "diskMBpsReadOnly")) {
            if (!isAdjustable(type) && disk.properties().hasNonNull(name)) {
                throw ArmException.of("InvalidParameter.performance", name, type)
                        .at("disk." + name);
            }
        }
        if (!isAdjustable(type) && disk.at(SECTOR).isNumber()) {
            throw ArmException.of("InvalidParameter.performance", "logicalSectorSize", type)
                    .at("disk.creationData.logicalSectorSize");
        }
        refuse(
                disk.number("properties.diskIOPSReadWrite", 0) > MOST_OPERATIONS
                        || disk.number("properties.diskMBpsReadWrite", 0) > MOST_MEGABYTES,
                "InvalidParameter.value",
                "disk.diskIOPSReadWrite");
        refuse(
                disk.text("properties.networkAccessPolicy").equals("AllowPrivate")
                        && disk.text("properties.diskAccessId").isEmpty(),
                "InvalidParameter.missing",
                "disk.diskAccessId");
        refuse(
                disk.isTrue("properties.creationData.performancePlus") && gib <= LAST_SMALL,
                "InvalidParameter.value",
                "disk.creationData.performancePlus");
        if (!disk.text("properties.securityProfile.securityType").isEmpty()
                && !disk.text("properties.hyperVGeneration").equals("V2")) {
            throw ArmException.of("InvalidParameter.secondGeneration", "disk.securityProfile")
                    .at("disk.securityProfile");
        }
        requireTier(disk, type, gib);
        refuse(
                disk.isTrue("properties.burstingEnabled") && (!isPremium(type) || gib <= LAST_SMALL),
                "InvalidParameter.bursting",
                disk.name(),
                type,
                gib);
        JsonNode shares = disk.at("properties.maxShares");
        refuse(
                shares.isNumber() && (shares.asInt() < 1 || shares.asInt() > mostShares(type, gib)),
                "BadRequest.maxShares",
                shares.asInt(),
                disk.name(),
                gib);
        boolean zoned = !disk.at("zones").isEmpty();
        if (isAdjustable(type) && !zoned && !Row.REGIONS_WITHOUT_ZONES.contains(disk.region())) {
            throw ArmException.of("InvalidParameter.zonalDisk", type).at("sku.name");
        }
        refuse(type.endsWith("ZRS") && zoned, "InvalidParameter.redundantDisk", type);
    }

    private static void requireTier(Draft disk, String type, int gib) {
        String tier = disk.text("properties.tier");
        if (tier.isEmpty()) {
            return;
        }
        int given = TIERS.indexOf(tier);
        int own = (int) TIER_SIZES.stream().filter(size -> size < gib).count();
        refuse(!isPremium(type) || given < own, "InvalidParameter.tier", tier, disk.name(), type, gib);
    }

    private static int mostShares(String type, int gib) {
        if (isAdjustable(type)) {
            return ADJUSTABLE_SHARES;
        }
        if (type.equals("Standard_LRS")) {
            return 1;
        }
        return gib <= LAST_SMALL ? FEWEST_SHARES : gib <= LAST_MEDIUM ? MEDIUM_SHARES : MANY_SHARES;
    }

    /**
     * Refuses data disks of a machine or a scale set that it cannot have beside each other or where it is.
     *
     * @param machine the machine or the scale set
     * @param profile the properties of the machine, or those of the profile of the set
     */
    static void attach(Draft machine, ObjectNode profile) {
        for (ObjectNode disk : Bodies.objects(profile, "storageProfile.dataDisks")) {
            String type = type(machine, disk);
            if (!isAdjustable(type)) {
                continue;
            }
            refuse(
                    type.equals("UltraSSD_LRS")
                            && !Bodies.isTrue(profile, "additionalCapabilities.ultraSSDEnabled")
                            && !machine.isTrue("properties.additionalCapabilities.ultraSSDEnabled"),
                    "InvalidParameter.ultra");
            if (machine.at("zones").isEmpty() && !Row.REGIONS_WITHOUT_ZONES.contains(machine.region())) {
                throw ArmException.of("InvalidParameter.zonalDisk", type).at("managedDisk.storageAccountType");
            }
            String caching = Bodies.text(disk, "caching");
            refuse(!caching.isEmpty() && !caching.equals("None"), "InvalidParameter.caching", type, caching);
        }
    }

    /** The type of a data disk: that of the disk, where it exists. */
    private static String type(Draft machine, ObjectNode disk) {
        return machine.store()
                .find(Bodies.text(disk, "managedDisk.id"), ResourceType.DISKS)
                .map(found -> found.text("sku.name"))
                .orElse(Bodies.text(disk, "managedDisk.storageAccountType"));
    }
}
