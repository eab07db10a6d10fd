package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Microsoft.Compute with what stops machines at a time: its types, and its lists by region of usages, sizes, images and commands. */
public final class Compute {
    private final Cloud cloud;
    private final BackingMachines machines;
    private final Quota quota;
    private final EmulatedSizes sizes;
    private final Agreements agreements;

    public Compute(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.quota = new Quota(cloud);
        this.sizes = quota.sizes();
        this.agreements = new Agreements(cloud);
    }

    public List<ResourceType> types() {
        Instances instances = new Instances(cloud, machines);
        Galleries galleries = new Galleries(cloud, machines);
        List<ResourceType> types = new ArrayList<>(List.of(
                PlacementGroups.availabilitySets(cloud)
                        .read("vmSizes", (call, set) -> Reply.ok(sizes.list(set.location()))),
                PlacementGroups.proximityGroups(cloud),
                Disks.disks(cloud),
                Disks.snapshots(cloud),
                new EmulatedImages(cloud, machines).type(),
                new VirtualMachines(cloud, quota, machines, agreements).type(),
                new MachineExtensions(cloud, machines).type(),
                new UniformScaleSets(cloud, quota, machines, instances, agreements).type(),
                instances.type(),
                new AutoShutdowns(cloud, machines).type(),
                new AutoscaleSettings(cloud, instances).type(),
                galleries.type(),
                galleries.images(),
                galleries.versions()));
        types.addAll(instances.parts());
        return types;
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
