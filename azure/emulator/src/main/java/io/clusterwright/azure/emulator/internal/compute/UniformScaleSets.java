package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.requireRange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.guest.GuestHandlers;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Uniform scale sets: one description, a number of instances. */
final class UniformScaleSets {
    /** Present where the last change was one of the description of the instances. */
    private static final String CHANGED = "modelChanged";

    private static final String PROFILE = MachineProfile.OF_SET;
    private static final String EXTENSIONS = PROFILE + ".extensionProfile.extensions";
    private static final String IMAGE = PROFILE + ".storageProfile.imageReference.id";
    private static final int MOST_FAULT_DOMAINS = 5;
    private static final int LARGEST = 1000;
    private static final int LARGEST_OF_IMAGE = 600;
    private static final int LARGEST_IN_ONE_GROUP = 100;
    private static final int LARGEST_WITH_RDMA = 300;

    private final Cloud cloud;
    private final EmulatedSizes sizes;
    private final Quota quota;
    private final BackingMachines machines;
    private final StorageProfiles storage;
    private final Instances instances;
    private final Agreements agreements;

    UniformScaleSets(Cloud cloud, Quota quota, BackingMachines machines, Instances instances, Agreements agreements) {
        this.cloud = cloud;
        this.sizes = quota.sizes();
        this.quota = quota;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
        this.instances = instances;
        this.agreements = agreements;
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.SCALE_SETS)
                .early(this::requireCores)
                .rows(
                        ComputeRows.name(ComputeRows.MACHINE_NAME),
                        ComputeRows.keep("plan", "zones", "identity"),
                        Row.onUpdate(UniformScaleSets::keep, this::requireUnprotected),
                        Row.unchanged(
                                "properties.platformFaultDomainCount",
                                "properties.orchestrationMode",
                                PROFILE + ".osProfile.computerNamePrefix",
                                PROFILE + ".osProfile.adminUsername",
                                PROFILE + ".priority",
                                "zones",
                                "plan"),
                        // A set that spans several placement groups can become no other.
                        Row.refuse(
                                set -> set.textBefore("properties.singlePlacementGroup")
                                                .equals("false")
                                        && set.isTrue("properties.singlePlacementGroup"),
                                "PropertyChangeNotAllowed",
                                "singlePlacementGroup"),
                        sizes::of,
                        Row.standard("sku.tier", "Standard"),
                        Row.standard("properties.orchestrationMode", "Uniform"),
                        Row.refuse(
                                set -> !set.is("properties.orchestrationMode", "Uniform"),
                                "OperationNotAllowed.flexible"),
                        Row.standard("properties.singlePlacementGroup", true),
                        Row.standard("properties.overprovision", true),
                        Row.required("properties.upgradePolicy.mode", "upgradePolicy", "upgradePolicy"),
                        Row::zones,
                        UniformScaleSets::requirePolicies,
                        set -> MachineProfile.of(set, sizes).check(),
                        UniformScaleSets::requireDisks,
                        ComputeRows.etag(),
                        this::requireCores,
                        set -> MachineProfile.of(set, sizes).image(storage, agreements, machines),
                        Row.uuid("properties.uniqueId"),
                        Row.timeOf("properties.timeCreated"),
                        Row.reference("properties.proximityPlacementGroup.id", ResourceType.PROXIMITY_GROUPS),
                        InstanceInterfaces::check,
                        UniformScaleSets::requireExtensions,
                        Row.onUpdate(UniformScaleSets::compare))
                .takes(this::work, Work.SCALE_SET_DELETE)
                .childrenAt("extensions", EXTENSIONS)
                .machines((call, set, created) -> CompletableFuture.allOf(
                        set.hidden(CHANGED).isPresent() && !created ? instances.changed(set) : ResourceType.NO_MACHINES,
                        instances.resize(set)))
                .finished(instances::finished)
                .filter(ComputeRows::ofRegion)
                .view((call, set, body) -> Bodies.objects(body, EXTENSIONS)
                        .forEach(each -> Bodies.properties(each).remove("protectedSettings")))
                .unmaking(set -> Instances.all(instances.of(set), machines::delete))
                .read("instanceView", (call, set) -> Reply.ok(instances.summary(set)))
                .read("networkInterfaces", (call, set) -> parts(call, set, ResourceType.INSTANCE_INTERFACES))
                .action("start", power(Work.VM_START, machines::start, "running"))
                .action("powerOff", power(Work.VM_POWER_OFF, machines::stop, "stopped"))
                .action("deallocate", power(Work.VM_DEALLOCATE, machines::stop, "deallocated"))
                .action("restart", power(Work.VM_RESTART, machines::restart, "running"))
                .action("redeploy", power(Work.VM_RESTART, machines::restart, "running"))
                .read("skus", this::skus)
                .read("publicIPAddresses", (call, set) -> parts(call, set, ResourceType.INSTANCE_ADDRESSES))
                .read("osUpgradeHistory", (call, set) -> Pages.of(call, cloud, List.of()))
                .read("rollingUpgrades/latest", (call, set) -> {
                    throw ArmException.of("NotFound.rollingUpgrade", set.name());
                })
                .action("rollingUpgrades/cancel", (call, set) -> {
                    throw ArmException.of("OperationNotAllowed.rollingUpgrade");
                })
                .action("manualupgrade", (call, set) -> {
                    CompletableFuture<?> work = instances.upgrade(set, named(call, set));
                    return cloud.accept(call, set, Work.SCALE_SET_UPDATE, work, failure -> null);
                })
                .action("reimage", (call, set) -> instances.reimage(call, set, chosen(call, set)))
                .action("reimageall", (call, set) -> instances.reimage(call, set, chosen(call, set)))
                .action("performMaintenance", (call, set) -> {
                    String first = chosen(call, set).stream()
                            .map(Resource::name)
                            .findFirst()
                            .orElse("0");
                    throw ArmException.of("OperationNotAllowed.maintenance", set.name() + "_" + first);
                })
                .action("delete", this::deleteInstances);
    }

    private static void requireExtensions(Draft set) {
        List<Draft> extensions = set.parts(EXTENSIONS);
        for (Draft extension : extensions) {
            String handler = MachineExtensions.handler(extension);
            ExtensionRunner.check(extension.properties(), set.text(PROFILE + ".storageProfile.osDisk.osType"));
            refuse(GuestHandlers.isChecked(extension.properties()), "NotImplemented.setExtension", handler);
            refuseMissing(!extension.has("name"), "extension.name");
            for (JsonNode other : extension.at("properties.provisionAfterExtensions")) {
                refuseValue(
                        extensions.stream().noneMatch(each -> each.is("name", other.asText())),
                        "provisionAfterExtensions");
            }
        }
        Bodies.requireUnique(
                set.objects(EXTENSIONS),
                extension -> Bodies.text(extension, "name"),
                (first, second) -> ArmException.of("InvalidParameter.value", "extension.name"));
        Bodies.requireUnique(
                set.objects(EXTENSIONS),
                extension -> MachineExtensions.handler(set.part(extension)),
                (first, second) -> ArmException.of(
                        "BadRequest.extension",
                        Bodies.text(second, "name"),
                        MachineExtensions.handler(set.part(second))));
    }

    /** Refuses data disks that a set cannot make: each is empty or of the image, with a number. */
    private static void requireDisks(Draft set) {
        for (Draft disk : set.parts(PROFILE + ".storageProfile.dataDisks")) {
            String option = disk.text("createOption");
            refuseValue(List.of("Attach", "Copy", "Restore").contains(option), "dataDisk.createOption");
            refuseMissing(option.equals("Empty") && !disk.has("diskSizeGB"), "dataDisk.diskSizeGB");
        }
    }

    /** Refuses policies that need a health probe, zones, the priority Spot or the mode Flexible where the set has it not. */
    private static void requirePolicies(Draft set) {
        Draft here = set.part("properties");
        Draft profile = set.part(PROFILE);
        boolean zoned = !set.at("zones").isEmpty();
        int faults = here.number("platformFaultDomainCount", 1);
        requireRange(faults, "platformFaultDomainCount", 1, MOST_FAULT_DOMAINS);
        refuseMissing(set.isNew() && !set.has("sku.capacity"), "sku.capacity");
        refuseValue(zoned && faults != 1 && faults != MOST_FAULT_DOMAINS, "platformFaultDomainCount");
        refuse(
                here.isTrue("spotRestorePolicy.enabled") && !Quota.isSpot(profile.text("priority")),
                "SpotRestorationIsSupportedOnlyForAzureSpotScaleSets");
        refuseValue(here.at("priorityMixPolicy").size() > 0, "priorityMixPolicy");
        refuseValue(profile.has("storageProfile.osDisk.name"), "osDisk.name");
        ComputeRows.requireTime(
                profile,
                "scheduledEventsProfile.terminateNotificationProfile.notBeforeTimeout",
                "terminateNotificationProfile.notBeforeTimeout",
                5,
                15);
        refuse(here.isTrue("zoneBalance") && !zoned, "InvalidParameter.zoneBalance");
        boolean watched = profile.has("networkProfile.healthProbe.id")
                || profile.parts("extensionProfile.extensions").stream()
                        .anyMatch(each -> each.text("properties.type").startsWith("ApplicationHealth"));
        refuse(!watched && here.is("upgradePolicy.mode", "Rolling"), "BadRequest.rolling");
        refuse(!watched && here.isTrue("automaticRepairsPolicy.enabled"), "BadRequest.repairs");
    }

    /** Keeps the model and the size, and the settings that are never shown of an extension that a client writes as it read it. */
    private static void keep(Draft set) {
        Resource before = set.resourceBefore();
        if (before.at(PROFILE) instanceof ObjectNode profile) {
            ComputeRows.keep(profile, set.make(PROFILE));
        }
        set.standard("sku.capacity", Instances.capacity(before));
        if (!set.has("sku.name")) {
            set.make("sku").put("name", before.text("sku.name"));
        }
        for (ObjectNode old : before.objects(EXTENSIONS)) {
            JsonNode closed = Bodies.at(old, "properties.protectedSettings");
            set.parts(EXTENSIONS).stream()
                    .filter(each -> closed.isObject() && each.is("name", Bodies.text(old, "name")))
                    .forEach(each -> each.standard("properties.protectedSettings", closed));
        }
    }

    private void requireUnprotected(Draft set) {
        instances.requireUnprotected(set.resourceBefore(), set.number("sku.capacity", 0));
    }

    /** Remembers whether the description of the instances changes by this. */
    private static void compare(Draft set) {
        boolean same = !set.changes("sku.name")
                && model(set.body()).equals(model(set.resourceBefore().body()));
        if (same) {
            set.resourceBefore().reveal(CHANGED);
        } else {
            set.resourceBefore().hide(CHANGED, "");
        }
    }

    private static ObjectNode model(ObjectNode body) {
        ObjectNode model = Bodies.make(body.deepCopy(), PROFILE);
        Bodies.make(model, "osProfile").remove(OsProfiles.SECRETS);
        Bodies.objects(model, "extensionProfile.extensions").forEach(each -> each.remove(List.of("id", "type")));
        return model;
    }

    private Work work(Draft set) {
        int before = set.isNew() ? 0 : instances.of(set.resourceBefore()).size();
        boolean crowded = storage.most(set.text(IMAGE), set.region())
                .filter(most -> set.number("sku.capacity", 0) - before > most)
                .isPresent();
        return crowded ? Work.SCALE_SET_TIME_OUT : set.isNew() ? Work.SCALE_SET_CREATE : Work.SCALE_SET_UPDATE;
    }

    private void requireCores(Draft set) {
        int capacity = set.number("sku.capacity", 0);
        String image = set.text(IMAGE);
        boolean managed =
                ResourcePath.isResource(image) && ResourcePath.of(image).isOfType(ResourceType.IMAGES);
        boolean fast = sizes.of(set).interconnect() == Interconnect.SRIOV_INFINIBAND;
        int largest = set.isTrue("properties.singlePlacementGroup")
                ? fast ? LARGEST_WITH_RDMA : LARGEST_IN_ONE_GROUP
                : managed ? LARGEST_OF_IMAGE : LARGEST;
        refuse(capacity < 0 || capacity > largest, "InvalidParameter.capacity", capacity, largest);
        boolean spot = Quota.isSpot(set.text(PROFILE + ".priority"));
        quota.require(sizes.of(set), set.region(), spot, capacity, set.id());
    }

    /** What the instances of a set have of one type. */
    private Reply parts(Call call, Resource set, String type) {
        List<ObjectNode> parts = cloud.store()
                .ofType(type)
                .filter(each -> each.id().isInside(set.id()))
                .map(each -> each.body().deepCopy())
                .toList();
        return Pages.of(call, cloud, parts);
    }

    private List<Resource> chosen(Call call, Resource set) {
        return instances.chosen(set, call.objectOrEmpty().path("instanceIds"));
    }

    /** The same for a request that must name instances. */
    private List<Resource> named(Call call, Resource set) {
        refuseMissing(call.objectOrEmpty().path("instanceIds").isEmpty(), "instanceIds");
        return chosen(call, set);
    }

    private ResourceType.Action power(Work work, Function<ResourcePath, CompletableFuture<?>> action, String state) {
        return (call, set) -> {
            List<Resource> chosen = chosen(call, set);
            return cloud.accept(call, set, work, Instances.all(chosen, action), failure -> {
                if (failure == null) {
                    chosen.forEach(each -> each.hide(MachineViews.POWER, state));
                }
                return null;
            });
        };
    }

    /** The sizes that a set can have. */
    private Reply skus(Call call, Resource set) {
        List<ObjectNode> skus = sizes.in(set.location()).stream()
                .map(size -> {
                    ObjectNode sku = Json.object().put("resourceType", ResourceType.SCALE_SETS);
                    sku.putObject("sku").put("name", size.size().toString()).put("tier", "Standard");
                    sku.putObject("capacity")
                            .put("minimum", 0)
                            .put("maximum", LARGEST)
                            .put("defaultCapacity", 1)
                            .put("scaleType", "Automatic");
                    return sku;
                })
                .toList();
        return Pages.of(call, cloud, skus);
    }

    private Reply deleteInstances(Call call, Resource set) {
        List<Resource> chosen = named(call, set);
        Instances.capacity(set, Instances.capacity(set) - chosen.size());
        return cloud.accept(call, set, Work.VM_DELETE, Instances.all(chosen, machines::delete), failure -> {
            if (failure == null) {
                chosen.forEach(each -> cloud.store().remove(each.id()));
            }
            return null;
        });
    }
}
