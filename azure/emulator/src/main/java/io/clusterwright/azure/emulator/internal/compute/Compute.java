package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Microsoft.Compute with what stops machines at a time: its types, and its lists by region of usages, sizes, images and commands. */
public final class Compute {
    private final Cloud cloud;
    private final BackingMachines machines;
    private final EmulatedSizes sizes;
    private final Quota quota;
    private final Agreements agreements;

    public Compute(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.sizes = new EmulatedSizes(cloud);
        this.quota = new Quota(cloud, sizes);
        this.agreements = new Agreements(cloud);
    }

    public List<ResourceType> types() {
        Instances instances = new Instances(cloud, machines);
        Galleries galleries = new Galleries(cloud, machines);
        return List.of(
                PlacementGroups.availabilitySets(cloud)
                        .read("vmSizes", (call, set) -> Reply.ok(sizes.list(set.location()))),
                PlacementGroups.proximityGroups(cloud),
                Disks.type(cloud),
                DiskAccess.snapshots(cloud),
                new EmulatedImages(cloud, machines).type(),
                new VirtualMachines(cloud, sizes, quota, machines, agreements).type(),
                new MachineExtensions(cloud, machines).type(),
                new UniformScaleSets(cloud, sizes, quota, machines, instances, agreements).type(),
                instances.type(),
                instances.interfaces(),
                instances.addresses(),
                new AutoShutdowns(cloud, machines).type(),
                new AutoscaleSettings(cloud, instances).type(),
                galleries.type(),
                galleries.images(),
                galleries.versions());
    }

    /** Of a list of a region, what is in that region; of another list, everything. */
    static Predicate<Resource> ofRegion(Call call) {
        String region = call.path().replaceFirst("(?i).*/locations/([^/]+)/.*", "$1");
        return resource -> region.equals(call.path()) || resource.location().equalsIgnoreCase(region);
    }

    /** @param path the words after the region */
    public Reply get(Call call, String location, List<String> path) {
        String region = cloud.region(location);
        return switch (path.get(0).toLowerCase(Locale.ROOT)) {
            case "usages" -> quota.usages(call, region);
            case "vmsizes" -> Reply.ok(sizes.list(region));
            case "publishers" -> new ImageCatalog(cloud).get(region, path.subList(1, path.size()));
            case "runcommands" -> commands();
            default -> throw ArmException.of("NotImplemented.path", call.path());
        };
    }

    public Agreements agreements() {
        return agreements;
    }

    public Reply skus(Call call) {
        return sizes.skus(call);
    }

    private static Reply commands() {
        ObjectNode body = Json.object();
        ArrayNode commands = body.putArray("value");
        command(commands, "RunShellScript", "Linux", "Executes a Linux shell script");
        command(commands, "RunPowerShellScript", "Windows", "Executes a PowerShell script");
        return Reply.ok(body);
    }

    private static void command(ArrayNode commands, String id, String system, String text) {
        commands.addObject()
                .put("$schema", "http://schema.management.azure.com/schemas/2016-11-17/runcommands.json")
                .put("id", id)
                .put("osType", system)
                .put("label", text)
                .put("description", text);
    }
}
