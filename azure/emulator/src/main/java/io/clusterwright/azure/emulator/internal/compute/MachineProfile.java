package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.network.NetworkRows;
import io.clusterwright.core.catalog.VmSizeFacts;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The common part of a virtual machine and of the model of a scale set, while a request for one of them is checked. */
final class MachineProfile {
    /** The model of the instances in the body of a scale set. */
    static final String OF_SET = "properties.virtualMachineProfile";

    /** The first version in which boot diagnostics need no storage account (Azure/azure-cli#14539). */
    static final String MANAGED_DIAGNOSTICS = "2020-06-01";

    private static final Set<String> LICENSES =
            Set.of(("none windows_client windows_server rhel_byos sles_byos rhel_base rhel_sapapps rhel_sapha rhel_eus"
                            + " rhel_basesapapps rhel_basesapha rhel_els_6 sles_standard sles sles_sap sles_hpc ubuntu_pro"
                            + " ubuntu")
                    .split(" "));
    private static final int LARGEST_DATA = 65_536;
    private static final double ANY_PRICE = -1;

    /** The emulated Spot price in USD for each core and hour: the price of HB120rs_v3 when this was written. */
    private static final double SPOT_PRICE = 0.0033;

    private final Draft draft;
    private final Draft profile;
    private final VmSizeFacts size;
    private final boolean set;

    private MachineProfile(Draft draft, EmulatedSizes sizes) {
        this.draft = draft;
        this.set = draft.id().isOfType(ResourceType.SCALE_SETS);
        this.profile = draft.part(set ? OF_SET : "properties");
        this.size = sizes.of(draft);
    }

    static MachineProfile of(Draft draft, EmulatedSizes sizes) {
        return new MachineProfile(draft, sizes);
    }

    /** Refuses what no machine of the size can have, whatever its image. */
    void check() {
        requireDisks();
        requireInterfaces();
        requireSpot();
        requireData();
        requireLicense();
        refuse(draft.text("identity.type").contains("UserAssigned"), "FailedIdentityOperation", draft.id());
        references(draft);
    }

    private void requireDisks() {
        EmulatedSizes.Limits limits = EmulatedSizes.limits(size);
        List<Draft> disks = profile.parts("storageProfile.dataDisks").stream()
                .filter(disk -> !disk.isTrue("toBeDetached"))
                .toList();
        refuse(disks.size() > limits.dataDisks(), "OperationNotAllowed.dataDisks", limits.dataDisks());
        for (String key : List.of("name", "lun")) {
            Bodies.requireUnique(
                    disks.stream().map(Draft::body).toList(),
                    disk -> Bodies.text(disk, key),
                    (first, second) -> ArmException.of(
                            key.equals("lun") ? "InvalidParameter.lun" : "InvalidParameter.diskName",
                            Bodies.text(second, key)));
        }
        DiskTypes.attach(draft, profile);
        Draft system = profile.part("storageProfile.osDisk");
        boolean ephemeral = system.has("diffDiskSettings") && system.is("caching", "ReadOnly");
        refuse(ephemeral && !limits.ephemeral(), "InvalidParameter.ephemeral", size);
    }

    private void requireInterfaces() {
        List<Draft> interfaces = profile.parts("networkProfile.networkInterfaces");
        int described =
                profile.at("networkProfile.networkInterfaceConfigurations").size();
        int number = interfaces.size() + described;
        int most = EmulatedSizes.limits(size).interfaces();
        refuse(number > most, "NetworkInterfaceCountExceeded", draft.name(), size, number, most);
        if (interfaces.size() > 1) {
            interfaces.forEach(each -> refuse(
                    !each.has("properties.primary"), "NetworkInterfaceMustHavePrimaryPropertySet", each.text("id")));
            long primary = interfaces.stream()
                    .filter(each -> each.isTrue("properties.primary"))
                    .count();
            refuse(primary != 1, "VirtualMachineMustHaveOneNetworkInterfaceAsPrimary", draft.name());
        }
    }

    /** Refuses what only low-priority machines have for others, and prices that cannot be paid. */
    private void requireSpot() {
        boolean spot = Quota.isSpot(profile.text("priority"));
        boolean priced = profile.at("billingProfile.maxPrice").isNumber();
        double price = profile.at("billingProfile.maxPrice").asDouble(ANY_PRICE);
        double current = SPOT_PRICE * size.billedCores();
        refuse(spot && size.size().toString().endsWith("_Promo"), "AzureSpotIsNotSupportedForThisVMSize", size);
        refuse(!spot && profile.has("evictionPolicy"), "EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines");
        refuse(!spot && priced, "MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines");
        refuse(price <= 0 && price != ANY_PRICE, "MaxPriceValueInvalid");
        refuse(
                price > 0 && price < current,
                "SpotPriceGreaterThanProvidedMaxPrice",
                draft.isNew() ? "Create VM" : "Update VM",
                profile.text("billingProfile.maxPrice"),
                String.format(Locale.ROOT, "%.4f", current),
                size);
    }

    /** Refuses data for the machine that is too large or not encoded, and what the subscription must ask for first. */
    private void requireData() {
        requireEncoded(
                profile.text("userData"),
                LARGEST_DATA,
                "InvalidParameter.userData",
                "InvalidParameter.userDataEncoding");
        refuse(profile.isTrue("securityProfile.encryptionAtHost"), "InvalidParameter.encryptionAtHost");
    }

    static void requireEncoded(String data, int most, String tooLong, String notEncoded) {
        try {
            refuse(Base64.getDecoder().decode(data).length > most, tooLong);
        } catch (IllegalArgumentException e) {
            throw ArmException.of(notEncoded);
        }
    }

    /** Refuses unknown types of license, and a place for diagnostics that is missing or no URL. */
    private void requireLicense() {
        String license = profile.text("licenseType").toLowerCase(Locale.ROOT);
        String place = profile.text("diagnosticsProfile.bootDiagnostics.storageUri");
        boolean enabled = profile.isTrue("diagnosticsProfile.bootDiagnostics.enabled");
        boolean managed = draft.version().compareTo(MANAGED_DIAGNOSTICS) >= 0;
        refuseValue(!license.isEmpty() && !LICENSES.contains(license), "licenseType");
        refuseMissing(enabled && place.isEmpty() && !managed, "bootDiagnostics.storageUri");
        refuseValue(
                !place.isEmpty() && !place.matches("https?://[^/]+/?"),
                "diagnosticsProfile.bootDiagnostics.storageUri");
    }

    /** Refuses references to missing resources; references to disks, images and key vaults are checked elsewhere. */
    static void references(Draft draft) {
        for (JsonNode part : List.of(draft.properties(), draft.at(OF_SET))) {
            part.properties().forEach(property -> {
                if (!List.of("storageProfile", "osProfile", "virtualMachineProfile")
                        .contains(property.getKey())) {
                    NetworkRows.references(draft, property.getValue());
                }
            });
        }
    }

    /** Checks the image with what goes with it: the plan, the type of security, the account, and the size of a machine that exists. */
    void image(StorageProfiles storage, Agreements agreements, BackingMachines machines) {
        Draft disks = profile.part("storageProfile");
        boolean same = !draft.isNew()
                && (!set
                        || disks.at("imageReference")
                                .equals(draft.resourceBefore().at(OF_SET + ".storageProfile.imageReference")));
        if (same) {
            storage.requireBootable(disks.body(), size);
            return;
        }
        StorageProfiles.Image image = storage.resolve(draft, disks.body(), size);
        requirePlan(image, agreements);
        requireSecurity(image);
        if (draft.isNew() && !(set && image.specialized())) {
            machines.requireSystem(image.system());
            OsProfiles.create(draft, profile, image, set);
        }
    }

    /** Refuses a plan that is not the image's, or whose terms were not accepted. */
    private void requirePlan(StorageProfiles.Image image, Agreements agreements) {
        String given = plan(draft.at("plan"));
        String plan = image.plan();
        refuse(plan.isEmpty() && !given.isEmpty(), "VMMarketplaceInvalidInput.none", draft.id());
        refuse(!plan.isEmpty() && given.isEmpty(), "VMMarketplaceInvalidInput", draft.id());
        refuse(!plan.equalsIgnoreCase(given), "VMMarketplaceInvalidInput.other", draft.id());
        if (!given.isEmpty()) {
            agreements.requireAccepted(given);
        }
    }

    /** A plan as publisher, product and name; empty for none. */
    static String plan(JsonNode plan) {
        return plan.isEmpty()
                ? ""
                : Bodies.text(plan, "publisher") + ":" + Bodies.text(plan, "product") + ":" + Bodies.text(plan, "name");
    }

    /** Refuses a type of security that the image does not have. */
    private void requireSecurity(StorageProfiles.Image image) {
        String wanted = profile.text("securityProfile.securityType");
        boolean trusted = wanted.equals("TrustedLaunch");
        boolean firmware = profile.at("securityProfile.uefiSettings").size() > 0;
        String has = image.security().toLowerCase(Locale.ROOT);
        boolean launches = image.generation().equals("V2") && has.contains("trustedlaunch");
        refuse(trusted && !launches, "BadRequest.trustedLaunch");
        refuse(!trusted && has.equals("trustedlaunch"), "BadRequest.trustedImage", image.security());
        refuse(!trusted && firmware && !wanted.equals("ConfidentialVM"), "BadRequest.uefi");
    }
}
