package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.network.Interfaces;
import io.clusterwright.azure.emulator.internal.services.VaultCertificates;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Virtual machines. */
final class VirtualMachines {
    private static final String RESERVE = "reserve";
    private static final String SIZE = "properties.hardwareProfile.vmSize";
    private static final String INTERFACES = "properties.networkProfile.networkInterfaces";
    private static final String PRICE = "properties.billingProfile.maxPrice";
    private static final String SECURITY = "properties.securityProfile.securityType";
    private static final double ANY_PRICE = -1;

    /** The first version of the API that reimages a separate machine. */
    private static final String REIMAGED_FROM = "2022-11-01";

    private final Cloud cloud;
    private final EmulatedSizes sizes;
    private final Quota quota;
    private final Interfaces interfaces;
    private final BackingMachines machines;
    private final StorageProfiles storage;
    private final MachineViews views;
    private final MachineParts parts;
    private final Agreements agreements;
    private final VaultCertificates certificates;

    VirtualMachines(Cloud cloud, Quota quota, BackingMachines machines, Agreements agreements) {
        this.cloud = cloud;
        this.sizes = quota.sizes();
        this.quota = quota;
        this.machines = machines;
        this.agreements = agreements;
        this.certificates = new VaultCertificates(cloud);
        this.interfaces = new Interfaces(cloud);
        this.storage = new StorageProfiles(cloud);
        this.views = new MachineViews(cloud);
        this.parts = new MachineParts(cloud);
    }

    ResourceType type() {
        ResourceType type = ResourceType.of(ResourceType.MACHINES)
                .early(this::requireCores)
                .rows(
                        ComputeRows.name(ComputeRows.MACHINE_NAME),
                        Row.onUpdate(VirtualMachines::requireTags),
                        ComputeRows.keep("plan", "zones"),
                        Row.onUpdate(VirtualMachines::requireSame, OsProfiles::update),
                        Row.unchanged(
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
                                "zones"),
                        ComputeRows.etag(),
                        Row::zone,
                        VirtualMachines::requireTogether,
                        draft -> MachineProfile.of(draft, sizes).check(),
                        this::requireCores,
                        PlacementGroups::check,
                        draft -> MachineProfile.of(draft, sizes).image(storage, agreements, machines),
                        draft -> VaultCertificates.check(
                                draft.at("properties.osProfile"),
                                draft.text("properties.storageProfile.osDisk.osType")),
                        this::takeInterfaces,
                        Row.uuid("properties.vmId"),
                        Row.timeOf("properties.timeCreated"),
                        Row.readOnly("properties", "instanceView"),
                        draft -> draft.body().remove("resources"),
                        MachineDisks::make)
                .takes(this::work, Work.VM_DELETE)
                .machines(this::make)
                .finished(this::finished)
                .unmaking(machine -> machines.delete(machine.id()))
                .removed(parts::release)
                .view(this::show)
                .filter(ComputeRows::ofRegion)
                .action("reapply", (call, machine) -> {
                    PowerActions.requireUsable(machine, "reapply");
                    machine.state("Updating");
                    return cloud.accept(call, machine, Work.VM_UPDATE, ResourceType.NO_MACHINES, failure -> {
                        machine.state("Succeeded");
                        return null;
                    });
                })
                .action("convertToManagedDisks", (call, machine) -> {
                    throw ArmException.of("OperationNotAllowed.managedDisks", machine.name());
                })
                .action("reimage", this::reimage)
                .read("instanceView", (call, machine) -> {
                    cloud.operations().asked(machine);
                    return Reply.ok(views.instanceView(machine));
                })
                .read("vmSizes", (call, machine) -> Reply.ok(sizes.list(machine.location())))
                .actionCheck(PowerActions::requireIdle);
        return new PowerActions(cloud, machines).addTo(type);
    }

    /** Refuses tags for a machine that was generalized. */
    private static void requireTags(Draft machine) {
        boolean same = machine.at("tags").equals(machine.resourceBefore().at("tags"));
        boolean generalized = MachineViews.isGeneralized(machine.resourceBefore());
        refuse(generalized && !same, "OperationNotAllowedOnGeneralizedVM", machine.name());
    }

    /** Refuses changes that need a deallocated machine, a machine that was not generalized, or a new machine. */
    private static void requireSame(Draft machine) {
        Resource before = machine.resourceBefore();
        boolean runs = !MachineViews.isDeallocated(before);
        boolean generalized = MachineViews.isGeneralized(before);
        String priority = machine.text("properties.priority");
        boolean given = !before.has("properties.priority") && !priority.isEmpty();
        boolean price =
                before.at(PRICE).asDouble(ANY_PRICE) != machine.at(PRICE).asDouble(ANY_PRICE);
        boolean secure = before.has(SECURITY) && !before.is(SECURITY, "Standard");
        refuse(generalized && machine.changes(SIZE), "OperationNotAllowed.generalizedUpdate", machine.name());
        refuse(given, "VMPriorityCannotBeApplied", priority, machine.name());
        refuse(price && runs, "MaxPriceChangeNotAllowedForAllocatedVMs", machine.name());
        refuse(
                machine.changes(SECURITY) && (runs || secure),
                "PropertyChangeNotAllowed",
                "securityProfile.securityType");
    }

    /** Refuses parts of a machine that go with others only: with an agent, with a scale set or with certain sizes. */
    private static void requireTogether(Draft machine) {
        Draft here = machine.part("properties");
        refuse(here.at("networkProfile.networkInterfaceConfigurations").size() > 0, "OperationNotAllowed.described");
        refuseValue(here.has("platformFaultDomain"), "platformFaultDomain");
        ComputeRows.requireTime(here, "extensionsTimeBudget", "extensionsTimeBudget", 15, 120);
        Draft image = here.part("storageProfile.imageReference");
        refuseValue(
                machine.isNew() && image.has("id") && (image.has("publisher") || image.has("offer")), "imageReference");
        Draft system = here.part("storageProfile.osDisk");
        refuseValue(system.has("diffDiskSettings") && system.is("deleteOption", "Detach"), "osDisk.deleteOption");
        for (JsonNode given : here.at("storageProfile").findValues("writeAcceleratorEnabled")) {
            refuseValue(given.asBoolean(), "writeAcceleratorEnabled");
        }
        for (String kind : List.of("linuxConfiguration", "windowsConfiguration")) {
            String path = "osProfile." + kind;
            boolean without = here.has(path + ".provisionVMAgent") && !here.isTrue(path + ".provisionVMAgent");
            boolean needed = here.isTrue("osProfile.allowExtensionOperations")
                    || here.is(path + ".patchSettings.patchMode", "AutomaticByPlatform");
            refuseValue(without && needed, kind + ".provisionVMAgent");
        }
    }

    /** Makes the machine again from its image, with a new disk. */
    private Reply reimage(Call call, Resource machine) {
        refuse(call.query("api-version").compareTo(REIMAGED_FROM) < 0, "OperationNotAllowed.reimage");
        String data = Bodies.text(call.objectOrEmpty(), "osProfile.customData");
        if (!data.isEmpty()) {
            machine.hide(OsProfiles.CUSTOM_DATA, data);
        }
        machine.state("Updating");
        return cloud.accept(call, machine, Work.VM_UPDATE, parts.remake(machines, machine), failure -> {
            machine.state(failure == null ? "Succeeded" : "Failed");
            if (failure == null) {
                MachineDisks.renew(cloud, machine);
                machine.reveal(MachineViews.GENERALIZED);
                machine.hide(MachineViews.POWER, "running");
            }
            return null;
        });
    }

    /** A machine whose image is read by too many at once is given up after a long time. */
    private Work work(Draft machine) {
        if (!machine.isNew()) {
            return Work.VM_UPDATE;
        }
        return storage.isCrowded(machine.id(), machine, machine.region()) ? Work.VM_TIME_OUT : Work.VM_CREATE;
    }

    private void requireCores(Draft machine) {
        VmSizeFacts size = sizes.of(machine);
        boolean spot = Quota.isSpot(machine.text("properties.priority"));
        if (machine.isNew() || machine.changes(SIZE)) {
            quota.require(size, machine.region(), spot, 1, machine.id());
        }
        if (spot) {
            machine.standard("properties.evictionPolicy", "Deallocate");
        }
    }

    private void takeInterfaces(Draft machine) {
        List<ObjectNode> references = machine.objects(INTERFACES);
        refuse(references.isEmpty(), "BadRequest.interfaces", machine.name());
        List<Resource> taken = references.stream()
                .map(reference -> interfaces.attach(machine.id(), Bodies.text(reference, "id")))
                .toList();
        if (references.size() == 1) {
            Bodies.standard(references.get(0), "properties.primary", true);
        }
        requireNetwork(machine, taken);
        if (!machine.isNew()) {
            release(machine, references);
        }
        taken.forEach(each -> each.hide(Interfaces.OWNER, machine.id().toString()));
    }

    /** Lets go of the interfaces that a change no longer names, which a machine that runs must keep. */
    private void release(Draft machine, List<ObjectNode> now) {
        List<ObjectNode> before = machine.resourceBefore().objects(INTERFACES);
        List<String> gone =
                ids(before).stream().filter(id -> !ids(now).contains(id)).toList();
        boolean same = gone.isEmpty() && before.size() == now.size();
        refuse(
                !same && !MachineViews.isDeallocated(machine.resourceBefore()),
                "AddingOrDeletingNetworkInterfacesOnARunningVirtualMachineNotSupported",
                machine.id());
        gone.forEach(
                id -> cloud.store().find(id, ResourceType.INTERFACES).ifPresent(each -> each.reveal(Interfaces.OWNER)));
    }

    private static List<String> ids(List<ObjectNode> references) {
        return references.stream()
                .map(each -> Bodies.text(each, "id").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Refuses interfaces in several networks, and acceleration that the size does not have. */
    private void requireNetwork(Draft machine, List<Resource> interfaces) {
        VmSizeFacts size = sizes.of(machine);
        boolean slow = size.interconnect() == Interconnect.NETWORK_DIRECT;
        Set<String> networks = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Resource each : interfaces) {
            each.objects("properties.ipConfigurations").stream()
                    .map(configuration -> ResourcePath.of(Bodies.text(configuration, "properties.subnet.id")))
                    .forEach(subnet -> networks.add(subnet.parent().toString()));
            refuse(
                    slow && each.isTrue("properties.enableAcceleratedNetworking"),
                    "VMSizeIsNotPermittedToEnableAcceleratedNetworking",
                    size.size(),
                    each.id());
        }
        refuse(networks.size() > 1, "SubnetsNotInSameVnet", machine.id(), String.join(", ", networks));
    }

    private CompletableFuture<?> make(Call call, Resource machine, boolean created) {
        OsProfiles.hideSecrets(machine);
        try {
            certificates.install(machine);
        } catch (ArmException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        cloud.faults()
                .take(call, EnumSet.of(Fault.Kind.NIC_RESERVED))
                .ifPresent(fault -> machine.hide(RESERVE, fault.delay().toString()));
        boolean silent = cloud.faults()
                .take(call, EnumSet.of(Fault.Kind.SSH_NEVER_ANSWERS))
                .isPresent();
        if (!created && machine.hidden(MachineViews.POWER).isPresent()) {
            return ResourceType.NO_MACHINES;
        }
        return storage.isCrowded(machine.id(), machine, machine.location())
                ? CompletableFuture.failedFuture(StorageProfiles.timeOut(machine.name()))
                : machines.create(parts.order(machine, !silent));
    }

    private void finished(Resource machine, @Nullable ArmException failure) {
        boolean exists = failure == null || failure.code().equals(Fault.Kind.OS_PROVISIONING_TIMED_OUT.code());
        if (exists && machine.hidden(MachineViews.POWER).isEmpty()) {
            machine.hide(MachineViews.POWER, "running");
        }
        machine.hidden(RESERVE)
                .filter(wait -> failure != null)
                .ifPresent(wait -> parts.interfacesOf(machine)
                        .forEach(each -> interfaces.reserve(
                                each, machine.id(), cloud.clock().now().plus(Duration.parse(wait)))));
    }

    private void show(Call call, Resource machine, ObjectNode body) {
        List<Resource> extensions = cloud.store().children(machine.id(), "extensions");
        if (!extensions.isEmpty()) {
            ArrayNode resources = body.putArray("resources");
            extensions.forEach(each -> resources.add(each.body().deepCopy()));
        }
        views.expand(call, machine, body);
    }
}
