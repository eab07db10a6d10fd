package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
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

    /** What only adjustable disks have. */
    private static final List<String> PERFORMANCE = List.of(
            "diskIOPSReadWrite",
            "diskMBpsReadWrite",
            "diskIOPSReadOnly",
            "diskMBpsReadOnly",
            "creationData.logicalSectorSize");

    private static final int FEWEST_SHARES = 3;
    private static final int MEDIUM_SHARES = 5;
    private static final int MANY_SHARES = 10;
    private static final int ADJUSTABLE_SHARES = 15;
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
        Draft here = disk.part("properties");
        String type = disk.text("sku.name");
        int gib = here.number("diskSizeGB", 1);
        for (String path : PERFORMANCE) {
            if (!isAdjustable(type) && here.has(path)) {
                throw ArmException.of("InvalidParameter.performance", path.replaceFirst(".*\\.", ""), type)
                        .at("disk." + path);
            }
        }
        refuseValue(
                here.number("diskIOPSReadWrite", 0) > MOST_OPERATIONS
                        || here.number("diskMBpsReadWrite", 0) > MOST_MEGABYTES,
                "disk.diskIOPSReadWrite");
        refuseMissing(here.is("networkAccessPolicy", "AllowPrivate") && !here.has("diskAccessId"), "disk.diskAccessId");
        refuseValue(
                here.isTrue("creationData.performancePlus") && gib <= LAST_SMALL, "disk.creationData.performancePlus");
        if (here.has("securityProfile.securityType") && !here.is("hyperVGeneration", "V2")) {
            throw ArmException.of("InvalidParameter.secondGeneration", "disk.securityProfile")
                    .at("disk.securityProfile");
        }
        if (here.has("tier")) {
            int own = (int) TIER_SIZES.stream().filter(size -> size < gib).count();
            boolean lower = TIERS.indexOf(here.text("tier")) < own;
            refuse(!isPremium(type) || lower, "InvalidParameter.tier", here.text("tier"), disk.name(), type, gib);
        }
        boolean bursts = here.isTrue("burstingEnabled");
        boolean large = isPremium(type) && gib > LAST_SMALL;
        refuse(bursts && !large, "InvalidParameter.bursting", disk.name(), type, gib);
        int shares = here.number("maxShares", 1);
        refuse(shares < 1 || shares > mostShares(type, gib), "BadRequest.maxShares", shares, disk.name(), gib);
        boolean zoned = !disk.at("zones").isEmpty();
        requireZone(disk, type, "sku.name");
        refuse(type.endsWith("ZRS") && zoned, "InvalidParameter.redundantDisk", type);
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

    /** Refuses an adjustable disk outside of a zone, where the region has zones. */
    private static void requireZone(Draft draft, String type, String target) {
        if (isAdjustable(type) && draft.at("zones").isEmpty() && !Row.REGIONS_WITHOUT_ZONES.contains(draft.region())) {
            throw ArmException.of("InvalidParameter.zonalDisk", type).at(target);
        }
    }

    /**
     * Refuses data disks of a machine or a scale set that it cannot have beside each other or where it is.
     *
     * @param machine the machine or the scale set
     * @param profile the properties of the machine, or the model of the set
     */
    static void attach(Draft machine, Draft profile) {
        String capability = "additionalCapabilities.ultraSSDEnabled";
        boolean ultra = profile.isTrue(capability) || machine.isTrue("properties." + capability);
        for (Draft disk : profile.parts("storageProfile.dataDisks")) {
            // An attached disk has a type already.
            String type = machine.store()
                    .find(disk.text("managedDisk.id"), ResourceType.DISKS)
                    .map(found -> found.text("sku.name"))
                    .orElse(disk.text("managedDisk.storageAccountType"));
            boolean cached = disk.has("caching") && !disk.is("caching", "None");
            refuse(type.equals("UltraSSD_LRS") && !ultra, "InvalidParameter.ultra");
            requireZone(machine, type, "managedDisk.storageAccountType");
            refuse(isAdjustable(type) && cached, "InvalidParameter.caching", type, disk.text("caching"));
        }
    }
}
