package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import java.util.Base64;
import java.util.List;

/** Accounts and first-boot data; passwords and custom data never come back. */
final class OsProfiles {
    static final String CUSTOM_DATA = "customData";
    private static final int LARGEST_CUSTOM_DATA = 65_535;

    private OsProfiles() {}

    static void create(ArmId id, ObjectNode properties, StorageProfiles.Image image) {
        if (image.specialized()) {
            if (properties.has("osProfile")) {
                throw ArmException.invalid(
                        "osProfile", "Parameter 'osProfile' is not allowed for a specialized image.");
            }
            return;
        }
        ObjectNode profile = properties.get("osProfile") instanceof ObjectNode given ? given : missing("osProfile");
        Bodies.putDefault(profile, "computerName", id.name());
        check(profile, image.system());
    }

    /** Checks what a machine and a scale set's profile have in common. */
    static void check(ObjectNode profile, String system) {
        if (Bodies.text(profile, "adminUsername").isEmpty()) {
            missing("osProfile.adminUsername");
        }
        if (List.of("root", "admin", "administrator").contains(Bodies.text(profile, "adminUsername"))) {
            throw ArmException.invalid("adminUsername", "The Admin Username specified is not allowed.");
        }
        checkCustomData(Bodies.text(profile, CUSTOM_DATA));
        profile.withArray("/secrets");
        Bodies.putDefault(profile, "allowExtensionOperations", true);
        if (system.equals("Windows")) {
            if (Bodies.text(profile, "adminPassword").isEmpty()) {
                missing("osProfile.adminPassword");
            }
            Bodies.putDefault(Bodies.make(profile, "windowsConfiguration"), "provisionVMAgent", true);
            return;
        }
        ObjectNode linux = Bodies.make(profile, "linuxConfiguration");
        Bodies.putDefault(
                linux,
                "disablePasswordAuthentication",
                Bodies.text(profile, "adminPassword").isEmpty());
        Bodies.putDefault(linux, "provisionVMAgent", true);
        boolean keys = !linux.path("ssh").path("publicKeys").isEmpty();
        if (!keys && Bodies.text(profile, "adminPassword").isEmpty()) {
            throw ArmException.invalid(
                    "linuxConfiguration",
                    "Authentication using either SSH or by user name and password must be enabled in Linux profile.");
        }
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
            throw ArmException.invalid("customData", "Custom data must be in Base64 encoding.");
        }
        throw ArmException.invalid("customData", "Custom data in OSProfile must not exceed 65535 bytes.");
    }

    static void update(Resource before, ObjectNode properties) {
        ObjectNode old = before.properties();
        for (List<String> fixed : List.of(
                List.of("osProfile", "adminUsername"),
                List.of("osProfile", "computerName"),
                List.of("storageProfile", "imageReference", "id"),
                List.of("storageProfile", "imageReference", "sku"),
                List.of("availabilitySet", "id"))) {
            String[] path = fixed.toArray(String[]::new);
            String was = Bodies.text(old, path);
            String is = Bodies.text(properties, path);
            if (!is.isEmpty() && !was.equalsIgnoreCase(is)) {
                throw ArmException.conflict(
                        "PropertyChangeNotAllowed",
                        "Changing property '" + String.join(".", fixed) + "' is not allowed.");
            }
        }
        if (!properties.has("osProfile") && old.has("osProfile")) {
            properties.set("osProfile", old.get("osProfile").deepCopy());
        }
    }

    private static ObjectNode missing(String parameter) {
        throw ArmException.invalid(parameter, "Required parameter '" + parameter + "' is missing (null).");
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
