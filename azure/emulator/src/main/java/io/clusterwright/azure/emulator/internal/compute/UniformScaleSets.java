package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.guest.GuestHandlers;
import io.clusterwright.azure.emulator.internal.services.VaultCertificates;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Uniform scale sets: one description, a number of instances. */
final class UniformScaleSets {
    static final String POOLS = "loadBalancerBackendAddressPools";

    /** Present where the last change was one of the description of the instances. */
    private static final String CHANGED = "modelChanged";

    static final String PROFILE = "properties.virtualMachineProfile";
    private static final int MOST_FAULT_DOMAINS = 5;
    private static final Duration SHORTEST_NOTICE = Duration.ofMinutes(5);
    private static final Duration LONGEST_NOTICE = Duration.ofMinutes(15);
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

    UniformScaleSets(
            Cloud cloud,
            EmulatedSizes sizes,
            Quota quota,
            BackingMachines machines,
            Instances instances,
            Agreements agreements) {
        this.agreements = agreements;
        this.cloud = cloud;
        this.sizes = sizes;
        this.quota = quota;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
        this.instances = instances;
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.SCALE_SETS)
                .early(this::requireCores)
                .rows(
                        MachineRules.name("^[^_\\W][\\w-._]{0,63}(?<![-.])$"),
                        Row.onUpdate(UniformScaleSets::keep, UniformScaleSets::keepSettings, this::requireUnprotected),
                        MachineRules.fixed("properties.platformFaultDomainCount"),
                        MachineRules.fixed("properties.orchestrationMode"),
                        MachineRules.fixed(PROFILE + ".osProfile.computerNamePrefix"),
                        MachineRules.fixed(PROFILE + ".osProfile.adminUsername"),
                        MachineRules.fixed(PROFILE + ".priority"),
                        MachineRules.fixed("zones"),
                        MachineRules.fixed("plan"),
                        UniformScaleSets::requirePlacement,
                        this::size,
                        Row.standard("sku.tier", "Standard"),
                        Row.standard("properties.orchestrationMode", "Uniform"),
                        UniformScaleSets::requireUniform,
                        Row.standard("properties.singlePlacementGroup", true),
                        Row.standard("properties.overprovision", true),
                        Row.required("properties.upgradePolicy.mode", "upgradePolicy", "upgradePolicy"),
                        Row::zones,
                        UniformScaleSets::requireNumbers,
                        draft -> MachineRules.requireSpot(draft, draft.make(PROFILE), size(draft)),
                        draft -> MachineRules.requireParts(draft, draft.make(PROFILE), size(draft)),
                        UniformScaleSets::requireDisks,
                        draft -> MachineRules.requireData(draft.make(PROFILE)),
                        MachineRules::references,
                        MachineRules::requireIdentity,
                        draft -> MachineRules.requireLicense(draft, draft.make(PROFILE)),
                        draft -> draft.body()
                                .put("etag", draft.store().nextEtag().replace("W/", "")),
                        this::requireCores,
                        this::checkImage,
                        Row.once(
                                "properties.uniqueId", here -> UUID.randomUUID().toString()),
                        Row.once(
                                "properties.timeCreated",
                                here -> here.clock().now().toString()),
                        Row.reference("properties.proximityPlacementGroup.id", ResourceType.PROXIMITY_GROUPS),
                        ScaleSetInterfaces::check,
                        UniformScaleSets::requireExtensions,
                        Row.onUpdate(UniformScaleSets::compare))
                .takes(this::work, Work.SCALE_SET_DELETE)
                .childrenAt("extensions", PROFILE + ".extensionProfile.extensions")
                .machines((call, set, created) -> CompletableFuture.allOf(
                        set.hidden(CHANGED).isPresent() && !created ? instances.changed(set) : ResourceType.NO_MACHINES,
                        instances.resize(set)))
                .finished(instances::finished)
                .filter(Compute::ofRegion)
                .view((call, set, body) ->
                        extensions(body).forEach(each -> Bodies.properties(each).remove("protectedSettings")))
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
                    requireIds(call);
                    CompletableFuture<?> work = instances.upgrade(set, chosen(call, set));
                    return cloud.accept(call, set, Work.SCALE_SET_UPDATE, work, failure -> null);
                })
                .action("reimage", (call, set) -> instances.reimage(call, set, chosen(call, set)))
                .action("reimageall", (call, set) -> instances.reimage(call, set, chosen(call, set)))
                .action("performMaintenance", (call, set) -> {
                    throw ArmException.of(
                            "OperationNotAllowed.maintenance",
                            set.name() + "_"
                                    + chosen(call, set).stream()
                                            .map(each -> each.name())
                                            .findFirst()
                                            .orElse("0"));
                })
                .action("delete", this::deleteInstances);
    }

    private static void requireExtensions(Draft set) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> handlers = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (ObjectNode extension : set.objects(PROFILE + ".extensionProfile.extensions")) {
            String handler = MachineExtensions.handler(extension);
            ExtensionRunner.check(Bodies.properties(extension), set.text(PROFILE + ".storageProfile.osDisk.osType"));
            refuse(GuestHandlers.isChecked(Bodies.properties(extension)), "NotImplemented.setExtension", handler);
            refuse(Bodies.text(extension, "name").isEmpty(), "InvalidParameter.missing", "extension.name");
            refuse(!names.add(Bodies.text(extension, "name")), "InvalidParameter.value", "extension.name");
            for (JsonNode other : extension.path("properties").path("provisionAfterExtensions")) {
                refuse(
                        set.objects(PROFILE + ".extensionProfile.extensions").stream()
                                .noneMatch(each -> Bodies.text(each, "name").equalsIgnoreCase(other.asText())),
                        "InvalidParameter.value",
                        "provisionAfterExtensions");
            }
            refuse(!handlers.add(handler), "BadRequest.extension", Bodies.text(extension, "name"), handler);
        }
    }

    /** Refuses data disks that a set cannot make: each is empty or of the image, with a number. */
    private static void requireDisks(Draft set) {
        for (ObjectNode disk : set.objects(PROFILE + ".storageProfile.dataDisks")) {
            String option = Bodies.text(disk, "createOption");
            refuse(
                    option.equals("Attach") || option.equals("Copy") || option.equals("Restore"),
                    "InvalidParameter.value",
                    "dataDisk.createOption");
            refuse(
                    option.equals("Empty") && !disk.hasNonNull("diskSizeGB"),
                    "InvalidParameter.missing",
                    "dataDisk.diskSizeGB");
        }
    }

    /** Refuses fault domains that are not there, and rolling upgrades that nothing watches. */
    private static void requireNumbers(Draft set) {
        int faults = set.number("properties.platformFaultDomainCount", 1);
        refuse(
                faults < 1 || faults > MOST_FAULT_DOMAINS,
                "InvalidParameter.range",
                faults,
                "platformFaultDomainCount",
                1,
                MOST_FAULT_DOMAINS);
        requirePolicies(set);
        refuse(set.isTrue("properties.zoneBalance") && set.at("zones").isEmpty(), "InvalidParameter.zoneBalance");
        boolean watched = !set.text(PROFILE + ".networkProfile.healthProbe.id").isEmpty()
                || set.objects(PROFILE + ".extensionProfile.extensions").stream()
                        .anyMatch(each -> Bodies.text(each, "properties.type").startsWith("ApplicationHealth"));
        refuse(!watched && set.text("properties.upgradePolicy.mode").equals("Rolling"), "BadRequest.rolling");
        refuse(!watched && set.isTrue("properties.automaticRepairsPolicy.enabled"), "BadRequest.repairs");
    }

    /** Refuses policies that are for other sets: in zones, of the priority Spot, of the mode Flexible. */
    private static void requirePolicies(Draft set) {
        refuse(
                set.before() == null && !set.at("sku").hasNonNull("capacity"),
                "InvalidParameter.missing",
                "sku.capacity");
        int faults = set.number("properties.platformFaultDomainCount", 1);
        refuse(
                !set.at("zones").isEmpty() && faults != 1 && faults != MOST_FAULT_DOMAINS,
                "InvalidParameter.value",
                "platformFaultDomainCount");
        refuse(
                set.isTrue("properties.spotRestorePolicy.enabled") && !Quota.isSpot(set.text(PROFILE + ".priority")),
                "SpotRestorationIsSupportedOnlyForAzureSpotScaleSets");
        refuse(set.at("properties.priorityMixPolicy").size() > 0, "InvalidParameter.value", "priorityMixPolicy");
        refuse(!set.text(PROFILE + ".storageProfile.osDisk.name").isEmpty(), "InvalidParameter.value", "osDisk.name");
        String notice = set.text(PROFILE + ".scheduledEventsProfile.terminateNotificationProfile.notBeforeTimeout");
        if (!notice.isEmpty()) {
            MachineRules.requireTime(
                    "terminateNotificationProfile.notBeforeTimeout", notice, SHORTEST_NOTICE, LONGEST_NOTICE);
        }
    }

    private VmSizeFacts size(Draft set) {
        return sizes.require(set.text("sku.name"), set.region());
    }

    private static void requireUniform(Draft set) {
        refuse(!set.text("properties.orchestrationMode").equals("Uniform"), "OperationNotAllowed.flexible");
    }

    private static void keep(Draft set) {
        ObjectNode before = set.resourceBefore().body();
        MachineRules.keep(Bodies.properties(before), set.properties());
        if (before.path("properties").get("virtualMachineProfile") instanceof ObjectNode profile) {
            MachineRules.keep(profile, set.make(PROFILE));
        }
        for (String part : List.of("plan", "zones", "identity")) {
            if (!set.body().has(part) && before.has(part)) {
                set.body().set(part, before.get(part).deepCopy());
            }
        }
        if (!set.make("sku").has("capacity")) {
            set.make("sku").put("capacity", Instances.capacity(set.resourceBefore()));
        }
        if (set.text("sku.name").isEmpty()) {
            set.make("sku").put("name", Bodies.text(before, "sku.name"));
        }
    }

    private static List<ObjectNode> extensions(ObjectNode body) {
        return Bodies.objects(body, PROFILE + ".extensionProfile.extensions");
    }

    /** Gives an extension that a client writes as it read it the settings that are never shown. */
    private static void keepSettings(Draft set) {
        for (ObjectNode old : extensions(set.resourceBefore().body())) {
            JsonNode closed = Bodies.at(old, "properties.protectedSettings");
            extensions(set.body()).stream()
                    .filter(each -> closed.isObject())
                    .filter(each -> Bodies.text(each, "name").equalsIgnoreCase(Bodies.text(old, "name")))
                    .forEach(each -> Bodies.standard(each, "properties.protectedSettings", closed));
        }
    }

    private void requireUnprotected(Draft set) {
        instances.requireUnprotected(set.resourceBefore(), set.number("sku.capacity", 0));
    }

    /** Remembers whether the description of the instances changes by this. */
    private static void compare(Draft set) {
        boolean same = set.text("sku.name").equalsIgnoreCase(set.textBefore("sku.name"))
                && model(set.body()).equals(model(set.resourceBefore().body()));
        if (same) {
            set.resourceBefore().reveal(CHANGED);
        } else {
            set.resourceBefore().hide(CHANGED, "");
        }
    }

    private static ObjectNode model(ObjectNode body) {
        ObjectNode model = Bodies.make(body.deepCopy(), PROFILE);
        Bodies.make(model, "osProfile").remove(List.of(OsProfiles.CUSTOM_DATA, "adminPassword"));
        Bodies.objects(model, "extensionProfile.extensions").forEach(each -> each.remove(List.of("id", "type")));
        return model;
    }

    /** A set that spans several placement groups can become no other. */
    private static void requirePlacement(Draft set) {
        refuse(
                set.before() != null
                        && set.textBefore("properties.singlePlacementGroup").equals("false")
                        && set.text("properties.singlePlacementGroup").equals("true"),
                "PropertyChangeNotAllowed",
                "singlePlacementGroup");
    }

    private Work work(Draft set) {
        String image = set.text(PROFILE + ".storageProfile.imageReference.id");
        int before = set.before() == null ? 0 : instances.of(set.before()).size();
        boolean crowded = storage.most(image, set.region())
                .filter(most -> set.number("sku.capacity", 0) - before > most)
                .isPresent();
        if (crowded) {
            return Work.SCALE_SET_TIME_OUT;
        }
        return set.before() == null ? Work.SCALE_SET_CREATE : Work.SCALE_SET_UPDATE;
    }

    private void requireCores(Draft set) {
        int capacity = set.number("sku.capacity", 0);
        boolean image = ArmId.isResource(set.text(PROFILE + ".storageProfile.imageReference.id"))
                && ArmId.of(set.text(PROFILE + ".storageProfile.imageReference.id"))
                        .isOfType(ResourceType.IMAGES);
        int largest = !set.isTrue("properties.singlePlacementGroup")
                ? image ? LARGEST_OF_IMAGE : LARGEST
                : size(set).interconnect() == Interconnect.SRIOV_INFINIBAND ? LARGEST_WITH_RDMA : LARGEST_IN_ONE_GROUP;
        refuse(capacity < 0 || capacity > largest, "InvalidParameter.capacity", capacity, largest);
        quota.require(size(set), set.region(), Quota.isSpot(set.text(PROFILE + ".priority")), capacity, set.id());
    }

    private void checkImage(Draft set) {
        ObjectNode profile = set.make(PROFILE);
        ObjectNode disks = Bodies.make(profile, "storageProfile");
        boolean same = set.before() != null
                && disks.path("imageReference")
                        .equals(set.resourceBefore().at(PROFILE + ".storageProfile.imageReference"));
        if (same) {
            storage.requireBootable(disks, size(set));
            return;
        }
        StorageProfiles.Image image = storage.resolve(set, disks, size(set));
        MachineRules.requirePlan(set, image, agreements);
        MachineRules.requireSecurity(profile, image);
        if (set.before() == null && !image.specialized()) {
            ObjectNode os = Bodies.make(profile, "osProfile");
            refuse(
                    Bodies.text(os, "computerNamePrefix").isEmpty(),
                    "InvalidParameter.missing",
                    "osProfile.computerNamePrefix");
            MachineRules.requireComputerName(
                    Bodies.text(os, "computerNamePrefix"),
                    image.system(),
                    image.system().equals("Windows") ? 9 : 58);
            machines.requireSystem(image.system());
            OsProfiles.check(os, image.system());
            VaultCertificates.check(os, image.system());
            new VaultCertificates(cloud).fetch(os, set.region());
        }
    }

    /** What the instances of a set have of one type. */
    private Reply parts(Call call, Resource set, String type) {
        return Pages.of(
                call,
                cloud,
                cloud.store()
                        .ofType(type)
                        .filter(each -> each.id().isInside(set.id()))
                        .map(each -> each.body().deepCopy())
                        .toList());
    }

    private List<Resource> chosen(Call call, Resource set) {
        return instances.chosen(set, call.objectOrEmpty().path("instanceIds"));
    }

    private ResourceType.Action power(Work work, Function<ArmId, CompletableFuture<?>> action, String state) {
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

    private static void requireIds(Call call) {
        refuse(call.objectOrEmpty().path("instanceIds").isEmpty(), "InvalidParameter.missing", "instanceIds");
    }

    private Reply deleteInstances(Call call, Resource set) {
        requireIds(call);
        List<Resource> chosen = chosen(call, set);
        Instances.capacity(set, Instances.capacity(set) - chosen.size());
        return cloud.accept(call, set, Work.VM_DELETE, Instances.all(chosen, machines::delete), failure -> {
            if (failure == null) {
                chosen.forEach(each -> cloud.store().remove(each.id()));
            }
            return null;
        });
    }
}
