package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.emulator.HpcPackGeneration;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.util.List;
import java.util.Optional;

/** {@code /hpc} of HPC Pack 2016 and 2019. */
public final class HpcApi implements HeadNodeServer.Api {
    private final HpcPackGeneration generation;
    private final JobCalls jobs;
    private final NodeCalls nodes;
    private final OldNodeCalls oldNodes;

    public HpcApi(HpcPackGeneration generation, Scheduler scheduler, Nodes nodes) {
        this.generation = generation;
        this.jobs = new JobCalls(scheduler);
        this.nodes = new NodeCalls(nodes, generation.version());
        this.oldNodes = new OldNodeCalls(nodes);
    }

    @Override
    public Reply answer(Call whole, String user) {
        if (whole.segments().isEmpty() || !whole.segments().get(0).equalsIgnoreCase("hpc")) {
            throw unknown(whole);
        }
        Call call = whole.inner();
        Optional<Reply> reply = cluster(call).or(() -> jobs.answer(call, user));
        if (generation == HpcPackGeneration.HPC_2019) {
            reply = reply.or(() -> nodes.answer(call));
        } else {
            reply = reply.or(() -> oldNodes.answer(call));
        }
        return reply.orElseThrow(() -> unknown(whole));
    }

    private Optional<Reply> cluster(Call call) {
        if (call.is("GET", "cluster", "version")) {
            return Optional.of(HpcJson.text(generation.version()));
        }
        if (call.is("GET", "cluster", "activeHeadNode")) {
            return Optional.of(HpcJson.text("HEADNODE"));
        }
        if (call.is("GET", "cluster", "info", "dateTimeFormat")) {
            return Optional.of(HpcJson.text("M/d/yyyy h:mm:ss tt"));
        }
        if (call.is("GET", "cluster", "userRoles")) {
            return Optional.of(HpcJson.texts(List.of("User", "Administrator")));
        }
        return Optional.empty();
    }

    private static HttpRefusalException unknown(Call call) {
        return HttpRefusalException.notFound(
                "No resource is emulated at " + call.method() + " /" + String.join("/", call.segments()) + ".");
    }

    @Override
    public Reply error(int status, String message) {
        return Reply.of(status, Json.object().put("Message", message));
    }
}
