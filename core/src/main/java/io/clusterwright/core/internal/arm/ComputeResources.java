package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.ImageReference.Marketplace;
import java.util.List;
import java.util.Optional;

/** Resources of Microsoft.Compute. */
public final class ComputeResources {
    /** Two fault domains exist in every region; more would spread the nodes of one fabric for no gain. */
    private static final int FAULT_DOMAINS = 2;

    private static final int UPDATE_DOMAINS = 5;

    private final ArmScope scope;

    /** Resources of a group. */
    public ComputeResources(ArmScope scope) {
        this.scope = scope;
    }

    /** A proximity placement group. */
    public ArmResource proximityGroup(ArmText name) {
        ArmResource group = new ArmResource(scope, ArmId.PROXIMITY_GROUP, name);
        group.properties().put("proximityPlacementGroupType", "Standard");
        return group;
    }

    /** An availability set for machines with managed disks, in a proximity placement group where one is named. */
    public ArmResource availabilitySet(ArmText name, Optional<ArmText> proximityGroup) {
        ArmResource set = new ArmResource(scope, ArmId.AVAILABILITY_SET, name);
        set.top().putObject("sku").put("name", "Aligned");
        set.properties()
                .put("platformUpdateDomainCount", UPDATE_DOMAINS)
                .put("platformFaultDomainCount", FAULT_DOMAINS);
        proximityGroup.ifPresent(group -> inProximityGroup(set, group));
        return set;
    }

    /** A machine with one interface that starts from an image. */
    public Machine machine(ArmText name, ArmText nic) {
        return new Machine(new ArmResource(scope, ArmId.VM, name), nic);
    }

    /** A uniform scale set with one placement group, which is one fabric, and without instances beyond its capacity. */
    public ArmResource scaleSet(ArmText name, ArmText size, JsonNode capacity, ObjectNode machineProfile) {
        ArmResource set = new ArmResource(scope, ArmId.SCALE_SET, name);
        set.top()
                .putObject("sku")
                .put("name", size.toString())
                .put("tier", "Standard")
                .set("capacity", capacity);
        set.properties()
                .put("orchestrationMode", "Uniform")
                .put("platformFaultDomainCount", 1)
                .put("overprovision", false)
                .put("singlePlacementGroup", true)
                .putObject("upgradePolicy")
                .put("mode", "Manual");
        set.properties().set("virtualMachineProfile", machineProfile);
        return set;
    }

    /** An extension of a machine. */
    public ArmResource extension(ArmText machine, String name, ObjectNode properties) {
        ArmResource extension = new ArmResource(scope, ArmId.VM + "/extensions", machine, ArmText.plain(name));
        extension.properties().setAll(properties);
        return extension;
    }

    /** The properties of an extension without settings. */
    public static ObjectNode extensionProperties(String publisher, String type, String version) {
        return Json.object()
                .put("publisher", publisher)
                .put("type", type)
                .put("typeHandlerVersion", version)
                .put("autoUpgradeMinorVersion", true);
    }

    /** Puts a machine or a set into a proximity placement group. */
    public static void inProximityGroup(ArmResource resource, ArmText group) {
        resource.properties().set("proximityPlacementGroup", resource.reference(ArmId.PROXIMITY_GROUP, group));
    }

    /** An image as machines refer to it: of the marketplace by its parts, or another by its id. */
    public static ObjectNode image(ImageReference image) {
        return image instanceof Marketplace known
                ? Json.object()
                        .put("publisher", known.publisher())
                        .put("offer", known.offer())
                        .put("sku", known.sku())
                        .put("version", known.version())
                : Json.object().put("id", image.toString());
    }

    /** The purchase plan of an image as machines repeat it. */
    public static ObjectNode plan(String publisher, String product, String name) {
        return Json.object().put("name", name).put("publisher", publisher).put("product", product);
    }

    /** The storage profile of a machine or of instances; its system disk, which may have a name already, is made of an image. */
    public static ObjectNode storage(JsonNode image, ObjectNode disk) {
        disk.put("createOption", "FromImage").putObject("managedDisk");
        return Json.object().<ObjectNode>set("imageReference", image).set("osDisk", disk);
    }

    /**
     * The profile of a Linux system that is logged in to with keys.
     *
     * @param ssh {@code publicKeys}, or the loop that makes them
     */
    public static ObjectNode linux(ArmText user, ArmText customData, ObjectNode ssh) {
        ObjectNode system =
                Json.object().put("adminUsername", user.toString()).put("customData", customData.toString());
        system.putObject("linuxConfiguration")
                .put("disablePasswordAuthentication", true)
                .<ObjectNode>set("ssh", ssh)
                .put("provisionVMAgent", true);
        return system;
    }

    /** The keys of a Linux system. */
    public static ObjectNode keys(String user, List<String> keys) {
        ObjectNode ssh = Json.object();
        keys.forEach(key -> ssh.withArray("/publicKeys")
                .addObject()
                .put("path", "/home/" + user + "/.ssh/authorized_keys")
                .put("keyData", key));
        return ssh;
    }

    /** The profile of a Windows system, which is updated by its owner. */
    public static ObjectNode windows(ArmText user, ArmText password) {
        ObjectNode system =
                Json.object().put("adminUsername", user.toString()).put("adminPassword", password.toString());
        system.putObject("windowsConfiguration").put("provisionVMAgent", true).put("enableAutomaticUpdates", false);
        return system;
    }

    /**
     * Sets the type of security, which is named always, as what its absence means depends on the version and the subscription.
     *
     * @param trusted whether it is Trusted Launch, with a virtual TPM
     * @param signed whether only signed drivers are loaded, under Trusted Launch
     */
    public static void security(ObjectNode properties, boolean trusted, boolean signed) {
        ObjectNode profile =
                properties.putObject("securityProfile").put("securityType", trusted ? "TrustedLaunch" : "Standard");
        if (trusted) {
            profile.putObject("uefiSettings").put("secureBootEnabled", signed).put("vTpmEnabled", true);
        }
    }

    /** Keeps the console of a machine or of instances, in storage that Azure manages where no account is named. */
    public static void bootDiagnostics(ObjectNode properties) {
        properties.putObject("diagnosticsProfile").putObject("bootDiagnostics").put("enabled", true);
    }

    /** Makes a machine or instances evictable; a highest price of -1 is the price on demand. */
    public void spot(ObjectNode properties, boolean deletes, double maxPrice) {
        properties.put("priority", "Spot").put("evictionPolicy", deletes ? "Delete" : "Deallocate");
        properties.putObject("billingProfile").set("maxPrice", scope.number(maxPrice));
    }

    /** A machine under construction. */
    public static final class Machine {
        private final ArmResource machine;
        private final ArmText nic;

        private Machine(ArmResource machine, ArmText nic) {
            this.machine = machine;
            this.nic = nic;
        }

        /** Sets the size, the image and the system disk, which is returned and may be changed further. */
        public ObjectNode boots(ArmText size, JsonNode image, ObjectNode disk) {
            machine.properties().putObject("hardwareProfile").put("vmSize", size.toString());
            machine.properties().set("storageProfile", storage(image, disk));
            return disk;
        }

        /** Sets accounts and names; a machine of a specialised image has none. */
        public Machine system(ObjectNode profile) {
            ObjectNode system = Json.object().put("computerName", machine.name().toString());
            machine.properties().set("osProfile", system.setAll(profile));
            return this;
        }

        /**
         * Connects its interface.
         *
         * @param deletesInterface whether the interface is deleted with the machine
         */
        public Machine connected(boolean deletesInterface) {
            ObjectNode reference = machine.reference(ArmId.NIC, nic);
            ObjectNode properties = reference.putObject("properties").put("primary", true);
            if (deletesInterface) {
                properties.put("deleteOption", "Delete");
            }
            machine.properties()
                    .putObject("networkProfile")
                    .putArray("networkInterfaces")
                    .add(reference);
            return this;
        }

        /** Puts it into an availability set. */
        public Machine inAvailabilitySet(ArmText set) {
            machine.properties().set("availabilitySet", machine.reference(ArmId.AVAILABILITY_SET, set));
            return this;
        }

        /** The machine. */
        public ArmResource build() {
            return machine;
        }
    }
}
