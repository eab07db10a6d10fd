package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Virtual machines. */
final class VirtualMachines {
    private static final String RESERVE = "reserve";

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
    private final ImageCrowd crowd;
    private final VaultCertificates certificates;

    VirtualMachines(Cloud cloud, EmulatedSizes sizes, Quota quota, BackingMachines machines, Agreements agreements) {
        this.agreements = agreements;
        this.crowd = new ImageCrowd(cloud);
        this.certificates = new VaultCertificates(cloud);
        this.cloud = cloud;
        this.sizes = sizes;
        this.quota = quota;
        this.machines = machines;
        this.interfaces = new Interfaces(cloud);
        this.storage = new StorageProfiles(cloud);
        this.views = new MachineViews(cloud);
        this.parts = new MachineParts(cloud);
    }

    ResourceType type() {
        ResourceType type = ResourceType.of(ResourceType.MACHINES)
                .early(this::requireCores)
                .rows(
                        MachineRules.name("^[^_\\W][\\w-._]{0,63}(?<![-.])$"),
                        Row.onUpdate(
                                MachineRules::requireTags,
                                VirtualMachines::keep,
                                MachineRules::requireSize,
                                MachineRules::requireSamePrice,
                                MachineRules::requireSameSecurity,
                                OsProfiles::update),
                        draft -> draft.body()
                                .put("etag", draft.store().nextEtag().replace("W/", "")),
                        Row::zone,
                        MachineRules::requireTogether,
                        draft -> MachineRules.requireParts(draft, draft.properties(), size(draft)),
                        draft -> MachineRules.requireData(draft.properties()),
                        MachineRules::requireIdentity,
                        draft -> MachineRules.requireLicense(draft, draft.properties()),
                        draft -> MachineRules.requireSpot(draft, draft.properties(), size(draft)),
                        MachineRules::references,
                        this::requireCores,
                        PlacementGroups::check,
                        this::checkImage,
                        draft -> VaultCertificates.check(
                                draft.at("properties.osProfile"),
                                draft.text("properties.storageProfile.osDisk.osType")),
                        this::takeInterfaces,
                        Row.once("properties.vmId", here -> UUID.randomUUID().toString()),
                        Row.once(
                                "properties.timeCreated",
                                here -> here.clock().now().toString()),
                        Row.readOnly("properties", "instanceView"),
                        draft -> draft.body().remove("resources"),
                        Disks::make)
                .takes(this::work, Work.VM_DELETE)
                .machines(this::make)
                .finished(this::finished)
                .unmaking(machine -> machines.delete(machine.id()))
                .removed(parts::release)
                .view(this::show)
                .filter(Compute::ofRegion)
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

    /** Makes the machine anew from its image, with a new disk. */
    private Reply reimage(Call call, Resource machine) {
        refuse(call.query("api-version").compareTo(REIMAGED_FROM) < 0, "OperationNotAllowed.reimage");
        ObjectNode body = call.objectOrEmpty();
        String data = Bodies.text(body, "osProfile.customData");
        if (!data.isEmpty()) {
            machine.hide(OsProfiles.CUSTOM_DATA, data);
        }
        machine.state("Updating");
        BackingMachines.Order order = parts.order(machine, true);
        CompletableFuture<?> work = machines.delete(machine.id()).thenCompose(gone -> machines.create(order));
        return cloud.accept(call, machine, Work.VM_UPDATE, work, failure -> {
            machine.state(failure == null ? "Succeeded" : "Failed");
            if (failure == null) {
                Disks.renew(cloud, machine);
                machine.reveal(MachineViews.GENERALIZED);
                machine.hide(MachineViews.POWER, "running");
            }
            return null;
        });
    }

    private static void keep(Draft machine) {
        MachineRules.keep(machine.resourceBefore().properties(), machine.properties());
        for (String part : List.of("plan", "zones")) {
            if (!machine.body().has(part) && machine.resourceBefore().body().has(part)) {
                machine.body()
                        .set(part, machine.resourceBefore().body().get(part).deepCopy());
            }
        }
    }

    /** A machine whose image is read by too many at once is given up after a long time. */
    private Work work(Draft machine) {
        if (machine.before() != null) {
            return Work.VM_UPDATE;
        }
        return crowd.isFull(machine.id(), machine.body(), machine.region()) ? Work.VM_TIME_OUT : Work.VM_CREATE;
    }

    private VmSizeFacts size(Draft machine) {
        return sizes.require(machine.text("properties.hardwareProfile.vmSize"), machine.region());
    }

    private void requireCores(Draft machine) {
        VmSizeFacts size = size(machine);
        boolean spot = Quota.isSpot(machine.text("properties.priority"));
        if (!machine.textBefore("properties.hardwareProfile.vmSize")
                .equalsIgnoreCase(size.size().toString())) {
            quota.require(size, machine.region(), spot, 1, machine.id());
        }
        if (spot) {
            machine.standard("properties.evictionPolicy", "Deallocate");
        }
    }

    private void checkImage(Draft machine) {
        ObjectNode profile = machine.make("properties.storageProfile");
        if (machine.before() != null) {
            storage.requireBootable(profile, size(machine));
            return;
        }
        StorageProfiles.Image image = storage.resolve(machine, profile, size(machine));
        MachineRules.requirePlan(machine, image, agreements);
        MachineRules.requireSecurity(machine.properties(), image);
        machines.requireSystem(image.system());
        OsProfiles.create(machine, image);
    }

    private void takeInterfaces(Draft machine) {
        List<ObjectNode> references = machine.objects("properties.networkProfile.networkInterfaces");
        refuse(references.isEmpty(), "BadRequest.interfaces", machine.name());
        List<Resource> taken = references.stream()
                .map(reference -> interfaces.attach(machine.id(), Bodies.text(reference, "id")))
                .toList();
        if (references.size() == 1) {
            Bodies.standard(references.get(0), "properties.primary", true);
        }
        requireNetwork(machine, taken);
        release(machine, references);
        taken.forEach(each -> each.hide(Interfaces.OWNER, machine.id().toString()));
    }

    /** Lets go of the interfaces that a change no longer names, which a machine that runs must keep. */
    private void release(Draft machine, List<ObjectNode> now) {
        if (machine.before() == null) {
            return;
        }
        List<ObjectNode> before = machine.before().objects("properties.networkProfile.networkInterfaces");
        List<String> gone =
                ids(before).stream().filter(id -> !ids(now).contains(id)).toList();
        boolean same = gone.isEmpty() && before.size() == now.size();
        refuse(
                !same && !machine.before().isHidden(MachineViews.POWER, "deallocated"),
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
        VmSizeFacts size = size(machine);
        Set<String> networks = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Resource each : interfaces) {
            each.objects("properties.ipConfigurations").stream()
                    .map(configuration -> ArmId.of(Bodies.text(configuration, "properties.subnet.id")))
                    .forEach(subnet -> networks.add(subnet.parent().toString()));
            refuse(
                    size.interconnect() == Interconnect.NETWORK_DIRECT
                            && each.isTrue("properties.enableAcceleratedNetworking"),
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
        if (crowd.isFull(machine.id(), machine.body(), machine.location())) {
            return CompletableFuture.failedFuture(ImageCrowd.timeOut(machine.name()));
        }
        return machines.create(parts.order(machine, !silent));
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
