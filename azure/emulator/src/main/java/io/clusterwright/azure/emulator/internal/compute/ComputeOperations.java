package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Locale;

/** Lists of Microsoft.Compute by region: usages, sizes, images and commands. */
public final class ComputeOperations {
    private final Cloud cloud;
    private final Sizes sizes;
    private final Quota quota;
    private final ImageCatalog images;

    public ComputeOperations(Cloud cloud, Sizes sizes, Quota quota) {
        this.cloud = cloud;
        this.sizes = sizes;
        this.quota = quota;
        this.images = new ImageCatalog(cloud);
    }

    /** @param path the words after the region */
    public Reply get(Call call, String location, List<String> path) {
        String region = cloud.region(location);
        return switch (path.get(0).toLowerCase(Locale.ROOT)) {
            case "usages" -> quota.usages(call, region);
            case "vmsizes" -> Reply.ok(sizes.list(region));
            case "publishers" -> images.get(call, region, path.subList(1, path.size()));
            case "runcommands" -> commands();
            default -> throw ArmException.of(404, "NotFound", "Nothing is known at " + call.path() + ".");
        };
    }

    public Reply skus(Call call) {
        return sizes.skus(call);
    }

    private static Reply commands() {
        ObjectNode body = Json.object();
        for (String[] command : new String[][] {
            {"RunShellScript", "Linux", "Executes a Linux shell script"},
            {"RunPowerShellScript", "Windows", "Executes a PowerShell script"},
        }) {
            body.withArray("/value")
                    .addObject()
                    .put("$schema", "http://schema.management.azure.com/schemas/2016-11-17/runcommands.json")
                    .put("id", command[0])
                    .put("osType", command[1])
                    .put("label", command[2])
                    .put("description", command[2]);
        }
        return Reply.ok(body);
    }
}
