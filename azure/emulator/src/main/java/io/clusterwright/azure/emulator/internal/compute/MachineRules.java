package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.network.NetworkRows;
import io.clusterwright.core.catalog.VmSizeFacts;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules about names, numbers and changes of machines and scale sets, and about what goes with their image. */
final class MachineRules {
    /** The first version in which boot diagnostics need no storage account (Azure/azure-cli#14539). */
    static final String MANAGED_DIAGNOSTICS = "2020-06-01";

    private static final Set<String> LICENSES = Set.of(
            "None",
            "Windows_Client",
            "Windows_Server",
            "RHEL_BYOS",
            "SLES_BYOS",
            "RHEL_BASE",
            "RHEL_SAPAPPS",
            "RHEL_SAPHA",
            "RHEL_EUS",
            "RHEL_BASESAPAPPS",
            "RHEL_BASESAPHA",
            "RHEL_ELS_6",
            "SLES_STANDARD",
            "SLES",
            "SLES_SAP",
            "SLES_HPC",
            "UBUNTU_PRO",
            "UBUNTU");
    private static final int LARGEST_DATA = 65_536;
    /** The emulated Spot price in USD for each core and hour: that of HB120rs_v3 when this was written. */
    private static final double SPOT_PRICE = 0.0033;

    private static final double ANY_PRICE = -1;
    private static final Duration SHORTEST_BUDGET = Duration.ofMinutes(15);
    private static final Duration LONGEST_BUDGET = Duration.ofMinutes(120);
    private static final Pattern NO_HOST_NAME = Pattern.compile("[`~!@#$%^&*()=+_\\[\\]{}\\\\|;:.'\",<>/?\\s]");
    private static final List<String> KEPT = List.of("imageReference", "osDisk", "dataDisks");

    private MachineRules() {}

    /** Names of resources, as the service's own rule in its refusals. */
    static Row name(String rule) {
        Pattern pattern = Pattern.compile(rule);
        return Row.onCreate(draft -> {
            if (!pattern.matcher(draft.name()).matches()) {
                throw ArmException.of("InvalidParameter.entityName", draft.name(), rule)
                        .at("name");
            }
        });
    }

    /** Names of most resources of Microsoft.Compute. */
    static Row name() {
        return name("^[^_\\W][\\w-._]{0,79}(?<![-.])$");
    }

    /** Refuses a computer name, or the prefix of one, that the system cannot have. */
    static void requireComputerName(String name, String system, int most) {
        boolean windows = system.equals("Windows");
        boolean digits = windows && name.chars().allMatch(Character::isDigit);
        if (name.length() > most
                || digits
                || NO_HOST_NAME.matcher(windows ? name : name.replace(".", "")).find()) {
            throw ArmException.of(windows ? "InvalidParameter.windowsName" : "InvalidParameter.linuxName", most)
                    .at("computerName");
        }
    }

    /** Keeps what a change of a machine or a set does not mention. */
    static void keep(ObjectNode before, ObjectNode now) {
        before.properties().forEach(entry -> {
            if (!now.has(entry.getKey()) && !entry.getKey().equals("provisioningState")) {
                now.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
        if (before.get("storageProfile") instanceof ObjectNode old
                && now.get("storageProfile") instanceof ObjectNode storage) {
            for (String part : KEPT) {
                if (part.equals("osDisk")
                        && storage.get(part) instanceof ObjectNode disk
                        && old.get(part) instanceof ObjectNode was) {
                    was.properties().forEach(entry -> {
                        if (!disk.hasNonNull(entry.getKey())) {
                            disk.set(entry.getKey(), entry.getValue().deepCopy());
                        }
                    });
                }
                if (storage.path(part).isEmpty() && !(part.equals("dataDisks") && storage.has(part)) && old.has(part)) {
                    storage.set(part, old.get(part).deepCopy());
                }
            }
        }
    }

    /** Refuses tags for a machine that was generalized. */
    static void requireTags(Draft machine) {
        boolean generalized =
                machine.resourceBefore().hidden(MachineViews.GENERALIZED).isPresent();
        refuse(
                generalized
                        && !machine.at("tags").equals(machine.resourceBefore().at("tags")),
                "OperationNotAllowedOnGeneralizedVM",
                machine.name());
    }

    /** Refuses another size for a machine that was generalized. */
    static void requireSize(Draft machine) {
        String size = "properties.hardwareProfile.vmSize";
        refuse(
                machine.resourceBefore().hidden(MachineViews.GENERALIZED).isPresent()
                        && !machine.text(size).equalsIgnoreCase(machine.textBefore(size)),
                "OperationNotAllowed.generalizedUpdate",
                machine.name());
    }

    /** A value, of whatever type, that a change must repeat where it names it. */
    static Row fixed(String path) {
        return Row.onUpdate(draft -> {
            JsonNode now = draft.at(path);
            JsonNode before = draft.resourceBefore().at(path);
            boolean same = now.isValueNode() && before.isValueNode()
                    ? now.asText().equalsIgnoreCase(before.asText())
                    : now.equals(before);
            refuse(
                    !now.isMissingNode() && !now.isNull() && !same,
                    "PropertyChangeNotAllowed",
                    path.replaceFirst("^properties\\.", ""));
        });
    }

    /** Refuses more disks and interfaces than a size has, and two disks with one number. */
    static void requireParts(Draft machine, ObjectNode profile, VmSizeFacts size) {
        EmulatedSizes.Limits limits = EmulatedSizes.limits(size);
        List<ObjectNode> disks = Bodies.objects(profile, "storageProfile.dataDisks").stream()
                .filter(disk -> !disk.path("toBeDetached").asBoolean())
                .toList();
        refuse(disks.size() > limits.dataDisks(), "OperationNotAllowed.dataDisks", limits.dataDisks());
        Set<Integer> numbers = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (ObjectNode disk : disks) {
            String name = Bodies.text(disk, "name");
            refuse(!name.isEmpty() && !names.add(name.toLowerCase(Locale.ROOT)), "InvalidParameter.diskName", name);
            refuse(
                    disk.has("lun") && !numbers.add(disk.path("lun").asInt()),
                    "InvalidParameter.lun",
                    disk.path("lun").asInt());
        }
        DiskTypes.attach(machine, profile);
        JsonNode system = profile.path("storageProfile").path("osDisk");
        refuse(
                system.has("diffDiskSettings")
                        && Bodies.text(system, "caching").equals("ReadOnly")
                        && !limits.ephemeral(),
                "InvalidParameter.ephemeral",
                size);
        List<ObjectNode> interfaces = Bodies.objects(profile, "networkProfile.networkInterfaces");
        List<ObjectNode> described = Bodies.objects(profile, "networkProfile.networkInterfaceConfigurations");
        int number = interfaces.size() + described.size();
        refuse(
                number > limits.interfaces(),
                "NetworkInterfaceCountExceeded",
                machine.name(),
                size,
                number,
                limits.interfaces());
        for (ObjectNode each : interfaces) {
            refuse(
                    interfaces.size() > 1 && !each.path("properties").hasNonNull("primary"),
                    "NetworkInterfaceMustHavePrimaryPropertySet",
                    Bodies.text(each, "id"));
        }
        long primary = interfaces.stream()
                .filter(each -> each.path("properties").path("primary").asBoolean())
                .count();
        refuse(
                interfaces.size() > 1 && primary != 1,
                "VirtualMachineMustHaveOneNetworkInterfaceAsPrimary",
                machine.name());
    }

    /** Refuses what only low-priority machines have for others, and prices that are none. */
    static void requireSpot(Draft machine, ObjectNode profile, VmSizeFacts size) {
        boolean spot = Quota.isSpot(Bodies.text(profile, "priority"));
        refuse(spot && size.size().toString().endsWith("_Promo"), "AzureSpotIsNotSupportedForThisVMSize", size);
        JsonNode price = Bodies.at(profile, "billingProfile.maxPrice");
        refuse(!spot && profile.hasNonNull("evictionPolicy"), "EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines");
        refuse(!spot && price.isNumber(), "MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines");
        refuse(price.isNumber() && price.asDouble() <= 0 && price.asDouble() != -1, "MaxPriceValueInvalid");
        double current = SPOT_PRICE * size.billedCores();
        refuse(
                price.isNumber() && price.asDouble() > 0 && price.asDouble() < current,
                "SpotPriceGreaterThanProvidedMaxPrice",
                machine.before() == null ? "Create VM" : "Update VM",
                price.asText(),
                String.format(Locale.ROOT, "%.4f", current),
                size);
    }

    /** Refuses another highest price, and a priority for a machine that was made without one. */
    static void requireSamePrice(Draft machine) {
        String path = "properties.billingProfile.maxPrice";
        ObjectNode before = machine.resourceBefore().body();
        refuse(
                Bodies.text(before, "properties.priority").isEmpty()
                        && !machine.text("properties.priority").isEmpty(),
                "VMPriorityCannotBeApplied",
                machine.text("properties.priority"),
                machine.name());
        boolean same =
                Bodies.at(before, path).asDouble(ANY_PRICE) == machine.at(path).asDouble(ANY_PRICE);
        refuse(
                !same && !machine.resourceBefore().isHidden(MachineViews.POWER, "deallocated"),
                "MaxPriceChangeNotAllowedForAllocatedVMs",
                machine.name());
    }

    /** Refuses references to what does not exist; those of disks, images and key vaults are checked with them. */
    static void references(Draft draft) {
        draft.properties().properties().forEach(property -> {
            if (!List.of("storageProfile", "osProfile", "virtualMachineProfile").contains(property.getKey())) {
                NetworkRows.references(draft, property.getValue());
            }
        });
        draft.at("properties.virtualMachineProfile").properties().forEach(property -> {
            if (!List.of("storageProfile", "osProfile").contains(property.getKey())) {
                NetworkRows.references(draft, property.getValue());
            }
        });
    }

    /** Refuses parts of a machine that go with others only: with an agent, with a scale set or with certain sizes. */
    static void requireTogether(Draft machine) {
        ObjectNode properties = machine.properties();
        refuse(
                !Bodies.objects(properties, "networkProfile.networkInterfaceConfigurations")
                        .isEmpty(),
                "OperationNotAllowed.described");
        refuse(properties.hasNonNull("platformFaultDomain"), "InvalidParameter.value", "platformFaultDomain");
        String budget = Bodies.text(properties, "extensionsTimeBudget");
        if (!budget.isEmpty()) {
            requireTime("extensionsTimeBudget", budget, SHORTEST_BUDGET, LONGEST_BUDGET);
        }
        ObjectNode reference = Bodies.make(properties, "storageProfile.imageReference");
        refuse(
                machine.before() == null
                        && reference.hasNonNull("id")
                        && (reference.hasNonNull("publisher") || reference.hasNonNull("offer")),
                "InvalidParameter.value",
                "imageReference");
        ObjectNode system = Bodies.make(properties, "storageProfile.osDisk");
        refuse(
                system.has("diffDiskSettings")
                        && Bodies.text(system, "deleteOption").equals("Detach"),
                "InvalidParameter.value",
                "osDisk.deleteOption");
        for (JsonNode disk : properties.path("storageProfile").findParents("writeAcceleratorEnabled")) {
            refuse(
                    disk.path("writeAcceleratorEnabled").asBoolean(),
                    "InvalidParameter.value",
                    "writeAcceleratorEnabled");
        }
        JsonNode profile = properties.path("osProfile");
        for (String kind : List.of("linuxConfiguration", "windowsConfiguration")) {
            boolean without = profile.path(kind).hasNonNull("provisionVMAgent")
                    && !profile.path(kind).path("provisionVMAgent").asBoolean();
            refuse(
                    without
                            && (profile.path("allowExtensionOperations").asBoolean()
                                    || Bodies.text(profile.path(kind), "patchSettings.patchMode")
                                            .equals("AutomaticByPlatform")),
                    "InvalidParameter.value",
                    kind + ".provisionVMAgent");
        }
    }

    /** Refuses a duration outside its limits. */
    static void requireTime(String name, String text, Duration least, Duration most) {
        try {
            Duration time = Duration.parse(text);
            if (time.compareTo(least) >= 0 && time.compareTo(most) <= 0) {
                return;
            }
        } catch (DateTimeParseException e) {
            throw ArmException.of("InvalidParameter.value", name);
        }
        throw ArmException.of("InvalidParameter.range", text, name, least, most);
    }

    /** Refuses another type of security while a machine runs, and to leave Trusted Launch. */
    static void requireSameSecurity(Draft machine) {
        String path = "properties.securityProfile.securityType";
        boolean runs = !machine.resourceBefore().isHidden(MachineViews.POWER, "deallocated");
        String before = machine.textBefore(path);
        refuse(
                !machine.text(path).equals(before) && (runs || !before.isEmpty() && !before.equals("Standard")),
                "PropertyChangeNotAllowed",
                "securityProfile.securityType");
    }

    /** Refuses data for the machine that is too large or not encoded, and what the subscription must ask for first. */
    static void requireData(ObjectNode profile) {
        String data = Bodies.text(profile, "userData");
        try {
            refuse(Base64.getDecoder().decode(data).length > LARGEST_DATA, "InvalidParameter.userData");
        } catch (IllegalArgumentException e) {
            throw ArmException.of("InvalidParameter.userDataEncoding");
        }
        refuse(Bodies.isTrue(profile, "securityProfile.encryptionAtHost"), "InvalidParameter.encryptionAtHost");
    }

    /** Refuses identities that are not there: those of users are not emulated. */
    static void requireIdentity(Draft draft) {
        refuse(draft.text("identity.type").contains("UserAssigned"), "FailedIdentityOperation", draft.id());
    }

    /** Refuses licenses that are none, and a place for diagnostics that is none. */
    static void requireLicense(Draft draft, ObjectNode profile) {
        String license = Bodies.text(profile, "licenseType");
        refuse(
                !license.isEmpty() && LICENSES.stream().noneMatch(license::equalsIgnoreCase),
                "InvalidParameter.value",
                "licenseType");
        String place = Bodies.text(profile, "diagnosticsProfile.bootDiagnostics.storageUri");
        boolean enabled = Bodies.isTrue(profile, "diagnosticsProfile.bootDiagnostics.enabled");
        refuse(
                enabled && place.isEmpty() && draft.version().compareTo(MANAGED_DIAGNOSTICS) < 0,
                "InvalidParameter.missing",
                "bootDiagnostics.storageUri");
        refuse(
                !place.isEmpty() && !place.matches("https?://[^/]+/?"),
                "InvalidParameter.value",
                "diagnosticsProfile.bootDiagnostics.storageUri");
    }

    /** Refuses a plan that is not the image's, or whose terms were not accepted. */
    static void requirePlan(Draft machine, StorageProfiles.Image image, Agreements agreements) {
        String given = plan(machine.at("plan"));
        refuse(image.plan().isEmpty() && !given.isEmpty(), "VMMarketplaceInvalidInput.none", machine.id());
        refuse(!image.plan().isEmpty() && given.isEmpty(), "VMMarketplaceInvalidInput", machine.id());
        refuse(!image.plan().equalsIgnoreCase(given), "VMMarketplaceInvalidInput.other", machine.id());
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
    static void requireSecurity(ObjectNode profile, StorageProfiles.Image image) {
        String wanted = Bodies.text(profile, "securityProfile.securityType");
        boolean trusted = wanted.equals("TrustedLaunch");
        String has = image.security().toLowerCase(Locale.ROOT);
        refuse(
                trusted && (!image.generation().equals("V2") || !has.contains("trustedlaunch")),
                "BadRequest.trustedLaunch");
        refuse(!trusted && has.equals("trustedlaunch"), "BadRequest.trustedImage", image.security());
        refuse(
                !trusted
                        && Bodies.at(profile, "securityProfile.uefiSettings").size() > 0
                        && !wanted.equals("ConfidentialVM"),
                "BadRequest.uefi");
    }
}
