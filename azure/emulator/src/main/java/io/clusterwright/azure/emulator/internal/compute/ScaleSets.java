package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Uniform scale sets: one description, a number of instances. */
public final class ScaleSets extends ComputeKind {
    static final String POOLS = "loadBalancerBackendAddressPools";

    private static final int LARGEST = 1000;
    private static final int LARGEST_IN_ONE_GROUP = 300;

    private final Sizes sizes;
    private final Quota quota;
    private final StorageProfiles storage;
    private final Instances instances;

    public ScaleSets(Cloud cloud, Sizes sizes, Quota quota, Machines machines) {
        super(cloud, SCALE_SETS);
        this.sizes = sizes;
        this.quota = quota;
        this.storage = new StorageProfiles(cloud);
        this.instances = new Instances(cloud, machines, storage);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        ObjectNode sku = Bodies.make(body, "sku");
        String region = Bodies.text(body, "location");
        VmSizeFacts size = sizes.require(Bodies.text(sku, "name"), region);
        Bodies.putDefault(sku, "tier", "Standard");
        Bodies.putDefault(properties, "orchestrationMode", "Uniform");
        if (!Bodies.text(properties, "orchestrationMode").equals("Uniform")) {
            throw ArmException.badRequest(
                    "OperationNotAllowed",
                    "Scale sets of the orchestration mode Flexible are not emulated; use Uniform.");
        }
        Bodies.putDefault(properties, "singlePlacementGroup", true);
        Bodies.putDefault(properties, "overprovision", true);
        Bodies.putDefault(Bodies.make(properties, "upgradePolicy"), "mode", "Manual");
        int capacity = sku.path("capacity").asInt();
        int largest = properties.path("singlePlacementGroup").asBoolean() ? LARGEST_IN_ONE_GROUP : LARGEST;
        if (capacity < 0 || capacity > largest) {
            throw ArmException.invalid(
                    "sku.capacity", "The capacity " + capacity + " is not between 0 and " + largest + ".");
        }
        ObjectNode profile = Bodies.make(properties, "virtualMachineProfile");
        boolean spot = Quota.isSpot(Bodies.text(profile, "priority"));
        int had =
                before == null ? 0 : before.body().path("sku").path("capacity").asInt();
        quota.require(size, region, spot, capacity - had);
        StorageProfiles.Image image = storage.resolve(id, Bodies.make(profile, "storageProfile"), body, region, size);
        if (before == null) {
            checkOs(profile, image);
            properties.put("uniqueId", UUID.randomUUID().toString());
            properties.put("timeCreated", cloud.clock().now().toString());
        } else {
            keep(before, properties, profile);
        }
        String group = Bodies.text(properties, "proximityPlacementGroup", "id");
        if (!group.isEmpty()) {
            referenced(id, group, PROXIMITY);
        }
        List<ObjectNode> interfaces =
                Bodies.objects(profile.path("networkProfile").path("networkInterfaceConfigurations"));
        if (interfaces.isEmpty()) {
            throw ArmException.invalid("networkProfile", "A scale set needs a network interface configuration.");
        }
        interfaces.forEach(each -> requirePools(id, each));
        Bodies.objects(profile.path("extensionProfile").path("extensions"))
                .forEach(extension -> ExtensionRunner.check(Bodies.properties(extension)));
    }

    private void requirePools(ArmId id, ObjectNode networkInterface) {
        Bodies.objects(networkInterface.path("properties").path("ipConfigurations")).stream()
                .flatMap(configuration ->
                        Bodies.objects(configuration.path("properties").path(POOLS)).stream())
                .map(pool -> Bodies.text(pool, "id"))
                .forEach(pool -> {
                    if (!ArmId.isResource(pool)) {
                        throw ArmException.badReference(pool, id);
                    }
                    Resource balancer =
                            referenced(id, ArmId.parse(pool).parent().toString(), "Microsoft.Network/loadBalancers");
                    if (Bodies.objects(balancer.properties().path("backendAddressPools")).stream()
                            .noneMatch(each -> Bodies.text(each, "id").equalsIgnoreCase(pool))) {
                        throw ArmException.badReference(pool, id);
                    }
                });
    }

    private static void checkOs(ObjectNode profile, StorageProfiles.Image image) {
        if (image.specialized()) {
            return;
        }
        ObjectNode os = Bodies.make(profile, "osProfile");
        if (Bodies.text(os, "computerNamePrefix").isEmpty()) {
            throw ArmException.invalid(
                    "osProfile.computerNamePrefix",
                    "Required parameter 'osProfile.computerNamePrefix' is missing (null).");
        }
        OsProfiles.check(os, image.system());
    }

    private static void keep(Resource before, ObjectNode properties, ObjectNode profile) {
        for (String name : List.of("uniqueId", "timeCreated")) {
            properties.put(name, Bodies.text(before.properties(), name));
        }
        if (!profile.has("osProfile")
                && before.properties().path("virtualMachineProfile").has("osProfile")) {
            profile.set(
                    "osProfile",
                    before.properties()
                            .path("virtualMachineProfile")
                            .get("osProfile")
                            .deepCopy());
        }
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return before == null ? Work.SCALE_SET_CREATE : Work.SCALE_SET_UPDATE;
    }

    @Override
    protected CompletableFuture<?> machines(Call call, Resource set, boolean created) {
        return instances.resize(set);
    }

    @Override
    protected void finished(Resource set, @Nullable ArmException failure) {
        instances.finished(set, failure);
    }

    @Override
    protected Work deleteWork(Call call, Resource resource) {
        return Work.SCALE_SET_DELETE;
    }

    @Override
    protected CompletableFuture<?> unmaking(Resource set) {
        return instances.unmake(instances.of(set));
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        Resource set = cloud.store().require(id);
        if (call.method().equals("GET")) {
            return switch (action) {
                case "instanceView" -> Reply.ok(instances.summary(set));
                case "networkInterfaces" ->
                    Pages.of(
                            call,
                            cloud,
                            instances.of(set).stream()
                                    .flatMap(each -> cloud.store().children(each.id(), "networkInterfaces").stream())
                                    .map(each -> each.body().deepCopy())
                                    .toList());
                default -> super.act(call, id, action);
            };
        }
        List<Resource> chosen = instances.chosen(set, call.objectOrEmpty().path("instanceIds"));
        return switch (action) {
            case "start" ->
                accept(call, set, Work.VM_START, instances.power(chosen, true), instances.powered(chosen, "running"));
            case "powerOff" ->
                accept(
                        call,
                        set,
                        Work.VM_POWER_OFF,
                        instances.power(chosen, false),
                        instances.powered(chosen, "stopped"));
            case "deallocate" ->
                accept(
                        call,
                        set,
                        Work.VM_DEALLOCATE,
                        instances.power(chosen, false),
                        instances.powered(chosen, "deallocated"));
            case "restart" ->
                accept(call, set, Work.VM_RESTART, instances.restart(chosen), instances.powered(chosen, "running"));
            case "manualupgrade" -> accept(call, set, Work.SCALE_SET_UPDATE, NO_MACHINES, failure -> null);
            case "delete" -> {
                set.body()
                        .withObject("/sku")
                        .put("capacity", set.body().path("sku").path("capacity").asInt() - chosen.size());
                yield accept(call, set, Work.VM_DELETE, instances.unmake(chosen), instances.deleted(chosen));
            }
            default -> super.act(call, id, action);
        };
    }
}
