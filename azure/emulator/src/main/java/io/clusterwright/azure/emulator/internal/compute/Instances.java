package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.FaultKind;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Operation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.network.Subnets;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The instances of a scale set, each with its own interface. */
public final class Instances {
    private static final int NAME_DIGITS = 6;
    private static final Pattern INSTANCE =
            Pattern.compile(".+/virtualMachineScaleSets/[^/]+/virtualMachines/(\\d{1,9})", Pattern.CASE_INSENSITIVE);

    private static final String NEXT = "nextInstance";

    private final Cloud cloud;
    private final Machines machines;
    private final StorageProfiles storage;
    private final Subnets subnets;
    private final MachineParts parts;
    private final Map<String, ArmException> failures = new ConcurrentHashMap<>();

    Instances(Cloud cloud, Machines machines, StorageProfiles storage) {
        this.cloud = cloud;
        this.machines = machines;
        this.storage = storage;
        this.subnets = new Subnets(cloud);
        this.parts = new MachineParts(cloud);
    }

    List<Resource> of(Resource set) {
        return cloud.store().children(set.id(), "virtualMachines");
    }

    /** The instances a request means: all, or those it names. */
    List<Resource> chosen(Resource set, JsonNode ids) {
        List<Resource> all = of(set);
        if (ids.isEmpty() || ids.path(0).asText().equals("*")) {
            return all;
        }
        List<Resource> chosen = new ArrayList<>();
        ids.forEach(id -> chosen.add(all.stream()
                .filter(each -> each.id().name().equals(id.asText()))
                .findFirst()
                .orElseThrow(() -> ArmException.badRequest(
                        "InvalidParameter",
                        "The provided instanceId " + id.asText() + " is not an active Virtual Machine"
                                + " Scale Set VM instanceId."))));
        return chosen;
    }

    /** Makes or removes instances until there are as many as the set says; the newest go first. */
    CompletableFuture<?> resize(Resource set) {
        String data = Bodies.text(set.properties(), "virtualMachineProfile", "osProfile", OsProfiles.CUSTOM_DATA);
        if (!data.isEmpty()) {
            set.hide(OsProfiles.CUSTOM_DATA, data);
        }
        List<Resource> now = of(set);
        int wanted = set.body().path("sku").path("capacity").asInt();
        List<CompletableFuture<?>> work = new ArrayList<>();
        for (int i = now.size(); i < wanted; i++) {
            work.add(make(set));
        }
        if (wanted < now.size()) {
            List<Resource> leaving = now.subList(wanted, now.size());
            work.add(unmake(leaving));
            leaving.forEach(each -> each.state("Deleting"));
        }
        if (set.properties().path("virtualMachineProfile").get("osProfile") instanceof ObjectNode profile) {
            profile.remove(List.of(OsProfiles.CUSTOM_DATA, "adminPassword"));
        }
        return CompletableFuture.allOf(work.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<?> make(Resource set) {
        int number = Integer.parseInt(set.hidden(NEXT).orElse("0"));
        set.hide(NEXT, Integer.toString(number + 1));
        ObjectNode profile = Bodies.make(set.properties(), "virtualMachineProfile");
        ArmId id = set.id().child("virtualMachines", Integer.toString(number));
        ObjectNode body = Json.object()
                .put("name", set.id().name() + "_" + number)
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", set.location())
                .put("instanceId", Integer.toString(number));
        if (set.body().has("tags")) {
            body.set("tags", set.body().get("tags").deepCopy());
        }
        body.putObject("sku")
                .put("name", Bodies.text(set.body(), "sku", "name"))
                .put("tier", "Standard");
        ObjectNode properties = Bodies.properties(body);
        properties
                .put("latestModelApplied", true)
                .put("vmId", UUID.randomUUID().toString())
                .put("provisioningState", "Creating");
        properties.putObject("hardwareProfile");
        properties.set("storageProfile", profile.path("storageProfile").deepCopy());
        ObjectNode os = properties.putObject("osProfile");
        profile.path("osProfile")
                .properties()
                .forEach(entry -> os.set(entry.getKey(), entry.getValue().deepCopy()));
        os.remove(List.of(OsProfiles.CUSTOM_DATA, "adminPassword", "computerNamePrefix"));
        os.put("computerName", computerName(Bodies.text(profile, "osProfile", "computerNamePrefix"), number));
        Resource instance = cloud.store().add(id, cloud.clock().now(), body);
        ObjectNode configuration = attach(instance, profile);
        Optional<ArmId> image = storage.capturedBy(Bodies.text(profile, "storageProfile", "imageReference", "id"));
        Optional<ArmException> fault = cloud.faults().failure("PUT", id.toString());
        if (fault.isPresent()) {
            failures.put(id.key(), fault.get());
            return CompletableFuture.failedFuture(fault.get());
        }
        boolean silent = cloud.faults()
                .take("PUT", id.toString(), EnumSet.of(FaultKind.SSH_NEVER_ANSWERS))
                .isPresent();
        CompletableFuture<?> made = machines.create(
                parts.order(id, os, set.hidden(OsProfiles.CUSTOM_DATA).orElse(""), configuration, image, !silent));
        return extend(id, made, profile).whenComplete((done, thrown) -> {
            if (thrown != null) {
                failures.put(id.key(), Operation.failureOf(thrown));
            }
        });
    }

    private CompletableFuture<?> extend(ArmId id, CompletableFuture<?> made, ObjectNode profile) {
        ExtensionRunner runner = new ExtensionRunner(machines);
        CompletableFuture<?> last = made;
        for (ObjectNode extension :
                Bodies.objects(profile.path("extensionProfile").path("extensions"))) {
            ObjectNode settings = Bodies.properties(extension.deepCopy());
            last = last.thenCompose(done -> runner.run(id, settings));
        }
        return last;
    }

    private ObjectNode attach(Resource instance, ObjectNode profile) {
        ObjectNode first = Bodies.objects(profile.path("networkProfile").path("networkInterfaceConfigurations"))
                .get(0);
        ArmId id = instance.id().child("networkInterfaces", Bodies.text(first, "name"));
        ObjectNode body = Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("etag", cloud.nextEtag())
                .put("location", instance.location());
        ObjectNode properties = Bodies.properties(body);
        properties.put("provisioningState", "Succeeded").put("primary", true);
        properties.put(
                "enableAcceleratedNetworking",
                first.path("properties").path("enableAcceleratedNetworking").asBoolean());
        properties.set("virtualMachine", Bodies.reference(instance.id()));
        ObjectNode from = Bodies.objects(first.path("properties").path("ipConfigurations"))
                .get(0);
        ObjectNode configuration = properties.putArray("ipConfigurations").addObject();
        configuration
                .put("name", Bodies.text(from, "name"))
                .put(
                        "id",
                        id.child("ipConfigurations", Bodies.text(from, "name")).toString());
        Bodies.properties(configuration)
                .put("primary", true)
                .put("provisioningState", "Succeeded")
                .set("subnet", from.path("properties").path("subnet").deepCopy());
        if (from.path("properties").has(ScaleSets.POOLS)) {
            Bodies.properties(configuration)
                    .set(
                            ScaleSets.POOLS,
                            from.path("properties").get(ScaleSets.POOLS).deepCopy());
        }
        subnets.allocate(instance.id(), configuration);
        cloud.store().add(id, cloud.clock().now(), body);
        instance.properties()
                .putObject("networkProfile")
                .putArray("networkInterfaces")
                .add(Bodies.reference(id));
        return configuration;
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

    CompletableFuture<?> unmake(List<Resource> gone) {
        return all(gone, machines::delete);
    }

    CompletableFuture<?> power(List<Resource> chosen, boolean on) {
        return all(chosen, on ? machines::start : machines::stop);
    }

    CompletableFuture<?> restart(List<Resource> chosen) {
        return all(chosen, id -> machines.stop(id).thenCompose(stopped -> machines.start(id)));
    }

    private static CompletableFuture<?> all(List<Resource> chosen, Function<ArmId, CompletableFuture<?>> action) {
        return CompletableFuture.allOf(
                chosen.stream().map(each -> action.apply(each.id())).toArray(CompletableFuture[]::new));
    }

    Operation.Ending powered(List<Resource> chosen, String state) {
        return failure -> {
            if (failure == null) {
                chosen.forEach(each -> each.hide(MachineViews.POWER, state));
            }
            return null;
        };
    }

    Operation.Ending deleted(List<Resource> chosen) {
        return failure -> {
            if (failure == null) {
                chosen.forEach(each -> cloud.store().remove(each.id()));
            }
            return null;
        };
    }

    /** Number of instances in each state. */
    ObjectNode summary(Resource set) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        of(set).forEach(each ->
                counts.merge("ProvisioningState/" + each.state().toLowerCase(Locale.ROOT), 1, Integer::sum));
        of(set).forEach(each -> each.hidden(MachineViews.POWER)
                .ifPresent(power -> counts.merge("PowerState/" + power, 1, Integer::sum)));
        ObjectNode view = Json.object();
        var summary = view.putObject("virtualMachine").putArray("statusesSummary");
        counts.forEach((code, count) -> summary.addObject().put("code", code).put("count", count));
        view.putArray("statuses")
                .add(ComputeKind.status(
                        "ProvisioningState/" + set.state().toLowerCase(Locale.ROOT),
                        "Provisioning " + set.state().toLowerCase(Locale.ROOT),
                        cloud.clock().now()));
        return view;
    }

    /** The name that an instance has at first: the prefix of the set and six digits to the base of 36. */
    static String computerName(String prefix, int number) {
        String suffix = Integer.toString(number, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
        return prefix + "0".repeat(Math.max(0, NAME_DIGITS - suffix.length())) + suffix;
    }

    /** The name of the instance with this resource id; nothing where the id is that of something else. */
    public static Optional<String> computerNameOf(String prefix, String resourceId) {
        Matcher matcher = INSTANCE.matcher(resourceId);
        return matcher.matches()
                ? Optional.of(computerName(prefix, Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }
}
