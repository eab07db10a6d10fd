package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Accounts and first-boot data; passwords and custom data never come back. */
final class OsProfiles {
    static final String CUSTOM_DATA = "customData";
    private static final int LARGEST_CUSTOM_DATA = 65_535;
    private static final List<Row> FIXED = Stream.of(
                    "properties.osProfile.adminUsername",
                    "properties.osProfile.computerName",
                    "properties.osProfile.linuxConfiguration.ssh.publicKeys",
                    "properties.osProfile.linuxConfiguration.disablePasswordAuthentication",
                    "properties.storageProfile.imageReference.id",
                    "properties.storageProfile.imageReference.publisher",
                    "properties.storageProfile.imageReference.offer",
                    "properties.storageProfile.imageReference.sku",
                    "properties.storageProfile.osDisk.name",
                    "properties.storageProfile.osDisk.osType",
                    "properties.storageProfile.osDisk.createOption",
                    "properties.availabilitySet.id",
                    "properties.virtualMachineScaleSet.id",
                    "properties.priority",
                    "plan",
                    "zones")
            .map(MachineRules::fixed)
            .toList();

    private OsProfiles() {}

    static void create(Draft machine, StorageProfiles.Image image) {
        ObjectNode properties = machine.properties();
        if (image.specialized()) {
            refuse(properties.has("osProfile"), "InvalidParameter.osProfile");
            return;
        }
        if (!(properties.get("osProfile") instanceof ObjectNode profile)) {
            throw missing("osProfile");
        }
        Bodies.standard(profile, "computerName", machine.name());
        MachineRules.requireComputerName(
                Bodies.text(profile, "computerName"),
                image.system(),
                image.system().equals("Windows") ? 15 : 64);
        check(profile, image.system());
    }

    /** Checks what a machine and a scale set's profile have in common. */
    static void check(ObjectNode profile, String system) {
        if (Bodies.text(profile, "adminUsername").isEmpty()) {
            throw missing("osProfile.adminUsername");
        }
        AdminAccounts.check(profile, system);
        checkCustomData(Bodies.text(profile, CUSTOM_DATA));
        profile.withArray("/secrets");
        Bodies.standard(profile, "allowExtensionOperations", true);
        if (system.equals("Windows")) {
            if (Bodies.text(profile, "adminPassword").isEmpty()) {
                throw missing("osProfile.adminPassword");
            }
            Bodies.standard(Bodies.make(profile, "windowsConfiguration"), "provisionVMAgent", true);
            return;
        }
        refuse(profile.hasNonNull("windowsConfiguration"), "InvalidParameter.value", "windowsConfiguration");
        ObjectNode linux = Bodies.make(profile, "linuxConfiguration");
        Bodies.standard(
                linux,
                "disablePasswordAuthentication",
                Bodies.text(profile, "adminPassword").isEmpty());
        Bodies.standard(linux, "provisionVMAgent", true);
        boolean keys = !linux.path("ssh").path("publicKeys").isEmpty();
        boolean password = !Bodies.text(profile, "adminPassword").isEmpty()
                && !linux.path("disablePasswordAuthentication").asBoolean();
        refuse(!keys && !password, "InvalidParameter.authentication");
    }

    private static void checkCustomData(String data) {
        if (data.isEmpty()) {
            return;
        }
        try {
            if (Base64.getDecoder().decode(data).length <= LARGEST_CUSTOM_DATA) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw ArmException.of("InvalidParameter.encoding");
        }
        throw ArmException.of("InvalidParameter.customData");
    }

    static void update(Draft machine) {
        FIXED.forEach(row -> row.apply(machine));
        String data = machine.text("properties.osProfile." + CUSTOM_DATA);
        refuse(
                !data.isEmpty()
                        && !data.equals(
                                machine.resourceBefore().hidden(CUSTOM_DATA).orElse("")),
                "PropertyChangeNotAllowed",
                "osProfile.customData");
    }

    private static ArmException missing(String parameter) {
        return ArmException.missing(parameter, parameter);
    }

    /** Takes the secrets out of what clients can read. */
    static void hideSecrets(Resource machine) {
        if (machine.properties().get("osProfile") instanceof ObjectNode profile) {
            String data = Bodies.text(profile, CUSTOM_DATA);
            if (!data.isEmpty()) {
                machine.hide(CUSTOM_DATA, data);
            }
            profile.remove(List.of(CUSTOM_DATA, "adminPassword"));
        }
    }
}
