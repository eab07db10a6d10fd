package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.util.List;

/** {@code /hpc} of HPC Pack 2016 and 2019. */
public final class HpcApi {
    private HpcApi() {}

    /** The requests that a generation answers. */
    public static Routes routes(Generation generation, Scheduler scheduler, Nodes nodes) {
        Routes routes = new Routes(
                        (status, message) -> Reply.of(status, Json.object().put("Message", message)))
                .on("GET hpc/cluster/version", (call, user) -> HpcJson.text(generation.version()))
                .on("GET hpc/cluster/activeHeadNode", (call, user) -> HpcJson.text("HEADNODE"))
                .on("GET hpc/cluster/info/dateTimeFormat", (call, user) -> HpcJson.text("M/d/yyyy h:mm:ss tt"))
                .on("GET hpc/cluster/userRoles", (call, user) -> HpcJson.texts(List.of("User", "Administrator")));
        new JobCalls(scheduler).addTo(routes);
        if (generation == Generation.HPC_2019) {
            new NodeCalls(nodes, generation.version()).addTo(routes);
        } else {
            new OldNodeCalls(nodes).addTo(routes);
        }
        return routes;
    }
}
