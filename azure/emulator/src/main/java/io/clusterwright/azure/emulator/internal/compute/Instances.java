package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.network.Outbound;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The instances of a scale set, each with its own interface; made and changed by the set only. */
public final class Instances {
    private static final int NAME_DIGITS = 6;
    private static final Pattern INSTANCE =
            Pattern.compile(".+/virtualMachineScaleSets/[^/]+/virtualMachines/(\\d{1,9})", Pattern.CASE_INSENSITIVE);
    private static final String NEXT = "nextInstance";
    private static final String PROTECTION = "properties.protectionPolicy";
    private static final String FROM_ACTIONS = PROTECTION + ".protectFromScaleSetActions";
    private static final String APPLIED = "appliedExtensions";
    private static final Row NOT_WRITTEN = draft -> {
        throw ArmException.of("OperationNotAllowed.newInstance");
    };

    /** What a client may send back as it read it, although the service alone sets it. */
    private static final Set<String> OF_THE_SERVICE =
            Set.of("provisioningState", "instanceView", "latestModelApplied", "timeCreated", "protectionPolicy");

    private final Cloud cloud;
    private final BackingMachines machines;
    private final MachineParts parts;
    private final ExtensionRunner extensions;
    private final StorageProfiles storage;
    private final Map<String, ArmException> failures = new ConcurrentHashMap<>();

    Instances(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.parts = new MachineParts(cloud);
        this.extensions = new ExtensionRunner(machines);
        this.storage = new StorageProfiles(cloud);
    }

    ResourceType type() {
        MachineViews views = new MachineViews(cloud);
        ResourceType type = ResourceType.of(ResourceType.INSTANCES)
                .rows(Row.onCreate(NOT_WRITTEN), Row.onUpdate(Instances::change))
                .takes(Work.VM_UPDATE, Work.VM_UPDATE, Work.VM_DELETE)
                .unmaking(instance -> machines.delete(instance.id()))
                .removed(instance ->
                        cloud.store().find(instance.id().parent()).ifPresent(set -> capacity(set, capacity(set) - 1)))
                .view(views::expand)
                .read("instanceView", (call, instance) -> Reply.ok(views.instanceView(instance)))
                .read("extensions", (call, instance) -> Pages.of(call, cloud, extensions(instance)))
                .read("extensions/*", Instances::extension)
                .action("reimage", (call, instance) -> reimage(call, instance, List.of(instance)))
                .action("reimageall", (call, instance) -> reimage(call, instance, List.of(instance)));
        return new PowerActions(cloud, machines).addTo(type);
    }

    /** A change has the tags and the protection of an instance, and repeats the rest or leaves it out. */
    private static void change(Draft draft) {
        ObjectNode before = draft.resourceBefore().body().deepCopy();
        draft.properties().properties().forEach(entry -> {
            refuse(
                    !OF_THE_SERVICE.contains(entry.getKey())
                            && !repeats(
                                    entry.getValue(), before.path("properties").path(entry.getKey())),
                    "OperationNotAllowed.instance",
                    entry.getKey());
        });
        JsonNode tags = draft.at("tags");
        JsonNode protection = draft.at(PROTECTION);
        if (tags.isObject()) {
            before.set("tags", tags.deepCopy());
        }
        if (protection.isObject()) {
            Bodies.properties(before).set("protectionPolicy", protection.deepCopy());
        }
        draft.body().removeAll().setAll(before);
    }

    /** Whether all that is given is so already. */
    private static boolean repeats(JsonNode given, JsonNode before) {
        if (given.isObject()) {
            return given.properties().stream()
                    .allMatch(entry -> repeats(entry.getValue(), before.path(entry.getKey())));
        }
        if (given.isArray()) {
            return given.size() == before.size()
                    && IntStream.range(0, given.size()).allMatch(i -> repeats(given.get(i), before.get(i)));
        }
        return given.isNull() || given.asText().equalsIgnoreCase(before.asText());
    }

    private static boolean isProtected(Resource instance) {
        return instance.isTrue(PROTECTION + ".protectFromScaleIn") || instance.isTrue(FROM_ACTIONS);
    }

    /** The instances that an action on the whole set, or a new model of it, reaches. */
    private List<Resource> open(Resource set) {
        return of(set).stream().filter(each -> !each.isTrue(FROM_ACTIONS)).toList();
    }

    private static List<ObjectNode> extensions(Resource instance) {
        List<ObjectNode> all = new ArrayList<>();
        for (ObjectNode applied : applied(instance)) {
            ObjectNode each = applied.deepCopy();
            String name = Bodies.text(each, "name");
            each.put("id", instance.id().child("extensions", name).toString())
                    .put("type", ResourceType.INSTANCES + "/extensions");
            Bodies.properties(each).put("provisioningState", "Succeeded").remove("protectedSettings");
            all.add(each);
        }
        return all;
    }

    private static List<ObjectNode> applied(Resource instance) {
        return Bodies.objects(instance.unseen(), APPLIED);
    }

    private static Reply extension(Call call, Resource instance) {
        String name = call.path().replaceFirst(".*/", "");
        return extensions(instance).stream()
                .filter(each -> Bodies.text(each, "name").equalsIgnoreCase(name))
                .findFirst()
                .map(Reply::ok)
                .orElseThrow(() -> ArmException.of("NotFound", instance.id().child("extensions", name)));
    }

    /** Marks the instances as older than the model of their set; a set that upgrades by itself gives them the model. */
    CompletableFuture<?> changed(Resource set) {
        boolean automatic = set.text("properties.upgradePolicy.mode").equals("Automatic");
        of(set).forEach(each -> each.properties().put("latestModelApplied", false));
        return automatic ? upgrade(set, open(set)) : ResourceType.NO_MACHINES;
    }

    /** Gives instances the model of their set: its size and image are recorded, and its new extensions run. */
    CompletableFuture<?> upgrade(Resource set, List<Resource> chosen) {
        ObjectNode profile = set.make(MachineProfile.OF_SET);
        List<ObjectNode> wanted = Bodies.objects(profile, "extensionProfile.extensions");
        List<CompletableFuture<?>> work = new ArrayList<>();
        for (Resource each : chosen) {
            List<ObjectNode> there = applied(each);
            each.properties()
                    .put("latestModelApplied", true)
                    .set("storageProfile", profile.path("storageProfile").deepCopy());
            each.make("sku").put("name", set.text("sku.name"));
            remember(each, wanted);
            work.add(run(
                    each, wanted.stream().filter(one -> !there.contains(one)).toList(), ResourceType.NO_MACHINES));
        }
        return CompletableFuture.allOf(work.toArray(CompletableFuture[]::new));
    }

    private static void remember(Resource instance, List<ObjectNode> extensions) {
        ArrayNode all = instance.unseen().putArray(APPLIED);
        extensions.forEach(each -> all.add(each.deepCopy()));
    }

    private CompletableFuture<?> run(Resource instance, List<ObjectNode> wanted, CompletableFuture<?> before) {
        boolean open = new Outbound(cloud).isOpen(instance.id());
        CompletableFuture<?> last = before;
        for (ObjectNode extension : wanted) {
            ObjectNode settings = Bodies.properties(extension.deepCopy());
            last = last.thenCompose(done -> extensions.run(instance.id(), settings, open));
        }
        return last;
    }

    /** Replaces machines by new machines of their image. */
    Reply reimage(Call call, Resource holder, List<Resource> chosen) {
        CompletableFuture<?>[] work = chosen.stream()
                .map(each -> run(each, applied(each), parts.remake(machines, each)))
                .toArray(CompletableFuture[]::new);
        return cloud.accept(call, holder, Work.VM_UPDATE, CompletableFuture.allOf(work), failure -> {
            if (failure == null) {
                chosen.forEach(each -> each.hide(MachineViews.POWER, "running"));
            }
            return null;
        });
    }

    List<ResourceType> parts() {
        return InstanceInterfaces.types(NOT_WRITTEN);
    }

    static int capacity(Resource set) {
        return set.number("sku.capacity", 0);
    }

    static void capacity(Resource set, int number) {
        set.make("sku").put("capacity", number);
    }

    List<Resource> of(Resource set) {
        return cloud.store().children(set.id(), "virtualMachines");
    }

    /** The instances that a request names, or all instances that are not protected from it. */
    List<Resource> chosen(Resource set, JsonNode ids) {
        if (ids.isEmpty() || ids.path(0).asText().equals("*")) {
            return open(set);
        }
        List<Resource> all = of(set);
        List<Resource> chosen = new ArrayList<>();
        ids.forEach(id -> chosen.add(all.stream()
                .filter(each -> each.name().equals(id.asText()))
                .findFirst()
                .orElseThrow(() -> ArmException.of("InvalidParameter.instanceId", id.asText()))));
        return chosen;
    }

    /** Refuses fewer instances than are protected from scale-in. */
    void requireUnprotected(Resource set, int wanted) {
        long kept = of(set).stream().filter(Instances::isProtected).count();
        refuse(wanted < of(set).size() && wanted < kept, "OperationNotAllowed.protected", set.name(), wanted, kept);
    }

    /** Makes or removes instances until there are as many as the set says; the newest that are not protected go first. */
    CompletableFuture<?> resize(Resource set) {
        ObjectNode profile = set.make(MachineProfile.OF_SET);
        String data = Bodies.text(profile, "osProfile." + OsProfiles.CUSTOM_DATA);
        if (!data.isEmpty()) {
            set.hide(OsProfiles.CUSTOM_DATA, data);
        }
        List<Resource> now = of(set);
        int wanted = capacity(set);
        List<CompletableFuture<?>> work = new ArrayList<>();
        for (int i = now.size(); i < wanted; i++) {
            work.add(make(set, profile));
        }
        if (wanted < now.size()) {
            List<Resource> free =
                    now.stream().filter(each -> !isProtected(each)).toList();
            List<Resource> leaving = free.subList(Math.max(0, free.size() - (now.size() - wanted)), free.size());
            work.add(all(leaving, machines::delete));
            leaving.forEach(each -> each.state("Deleting"));
        }
        if (profile.get("osProfile") instanceof ObjectNode os) {
            os.remove(OsProfiles.SECRETS);
        }
        return CompletableFuture.allOf(work.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<?> make(Resource set, ObjectNode profile) {
        int number = Integer.parseInt(set.hidden(NEXT).orElse("0"));
        set.hide(NEXT, Integer.toString(number + 1));
        Resource instance = add(set, profile, number);
        InstanceInterfaces.add(cloud, instance, profile);
        String id = instance.id().toString();
        Optional<ArmException> fault = storage.isCrowded(instance.id(), instance, instance.location())
                ? Optional.of(StorageProfiles.timeOut(instance.text("name")))
                : cloud.faults().failure("PUT", id);
        if (fault.isPresent()) {
            failures.put(instance.id().key(), fault.get());
            return CompletableFuture.failedFuture(fault.get());
        }
        boolean silent = cloud.faults()
                .take("PUT", id, EnumSet.of(Fault.Kind.SSH_NEVER_ANSWERS))
                .isPresent();
        List<ObjectNode> wanted = Bodies.objects(profile, "extensionProfile.extensions");
        remember(instance, wanted);
        return run(instance, wanted, machines.create(parts.order(instance, !silent)))
                .whenComplete((done, thrown) -> {
                    if (thrown != null) {
                        failures.put(instance.id().key(), LongOperation.failureOf(thrown));
                    }
                });
    }

    private Resource add(Resource set, ObjectNode profile, int number) {
        ResourcePath id = set.id().child("virtualMachines", Integer.toString(number));
        ObjectNode body = Json.object()
                .put("name", set.name() + "_" + number)
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", set.location())
                .put("instanceId", Integer.toString(number));
        if (set.body().has("tags")) {
            body.set("tags", set.body().get("tags").deepCopy());
        }
        body.putObject("sku").put("name", set.text("sku.name")).put("tier", "Standard");
        ObjectNode properties = Bodies.properties(body)
                .put("latestModelApplied", true)
                .put("vmId", UUID.randomUUID().toString())
                .put("provisioningState", "Creating");
        properties.putObject("hardwareProfile");
        properties.set("storageProfile", profile.path("storageProfile").deepCopy());
        ObjectNode os = profile.get("osProfile") instanceof ObjectNode given ? given.deepCopy() : Json.object();
        os.remove(OsProfiles.SECRETS);
        os.remove("computerNamePrefix");
        os.put("computerName", computerName(Bodies.text(profile, "osProfile.computerNamePrefix"), number));
        properties.set("osProfile", os);
        Resource instance = cloud.store().add(id, cloud.clock().now(), body);
        set.hidden(OsProfiles.CUSTOM_DATA).ifPresent(data -> instance.hide(OsProfiles.CUSTOM_DATA, data));
        return instance;
    }

    /** The set's operation is over. */
    void finished(Resource set, @Nullable ArmException failure) {
        boolean ownFailures =
                of(set).stream().anyMatch(each -> failures.containsKey(each.id().key()));
        for (Resource each : of(set)) {
            if (each.state().equals("Deleting")) {
                cloud.store().remove(each.id());
            } else if (each.state().equals("Creating")) {
                end(each, failures.remove(each.id().key()), ownFailures ? null : failure);
            }
        }
    }

    private static void end(Resource instance, @Nullable ArmException own, @Nullable ArmException common) {
        ArmException failure = own != null ? own : common;
        instance.state(failure == null ? "Succeeded" : "Failed");
        if (failure == null) {
            instance.hide(MachineViews.POWER, "running");
        } else {
            instance.hide(MachineViews.FAILURE, failure.code() + "\n" + failure.text());
        }
    }

    static CompletableFuture<?> all(List<Resource> chosen, Function<ResourcePath, CompletableFuture<?>> action) {
        return CompletableFuture.allOf(
                chosen.stream().map(each -> action.apply(each.id())).toArray(CompletableFuture[]::new));
    }

    /** Number of instances in each state. */
    ObjectNode summary(Resource set) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (Resource each : of(set)) {
            counts.merge("ProvisioningState/" + each.state().toLowerCase(Locale.ROOT), 1, Integer::sum);
            each.hidden(MachineViews.POWER).ifPresent(power -> counts.merge("PowerState/" + power, 1, Integer::sum));
        }
        ObjectNode view = Json.object();
        ArrayNode summary = view.putObject("virtualMachine").putArray("statusesSummary");
        counts.forEach((code, count) -> summary.addObject().put("code", code).put("count", count));
        view.putArray("statuses")
                .add(MachineViews.provisioned(set.state(), cloud.clock().now()));
        return view;
    }

    /** The name that an instance has at first: the prefix of the set and six digits to the base of 36. */
    static String computerName(String prefix, int number) {
        String suffix = Integer.toString(number, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
        return prefix + "0".repeat(Math.max(0, NAME_DIGITS - suffix.length())) + suffix;
    }

    /** The name of the instance with this resource id; empty for the id of another resource. */
    public static Optional<String> computerNameOf(String prefix, String resourceId) {
        Matcher matcher = INSTANCE.matcher(resourceId);
        return matcher.matches()
                ? Optional.of(computerName(prefix, Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }
}
