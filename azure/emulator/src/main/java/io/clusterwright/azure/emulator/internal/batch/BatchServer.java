package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.http.ArmServer;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Serves one Batch account over HTTP on the loopback address. */
public final class BatchServer implements AutoCloseable {
    private static final int MOST_TASKS = 100;

    private final BatchPools pools;
    private final BatchTasks tasks;
    private final BlobStore store = new BlobStore();
    private final BlobServer blobs = new BlobServer(store);
    private final LoopbackServer server;

    /**
     * @param space the addresses of all nodes
     * @param token the token that each request must carry; null for none, where nodes are records
     */
    public BatchServer(BackingMachines machines, AddressRange space, @Nullable Secret token, Recorder recorder) {
        BatchNodes nodes = new BatchNodes(machines, space);
        this.pools = new BatchPools(nodes, this);
        this.tasks = new BatchTasks(pools, nodes, token == null ? null : new BatchFiles(store, blobs), this);
        this.server = new LoopbackServer(
                "batch-emulator", 0, null, token, recorder, call -> Optional.of(ArmServer.withRequestId(answer(call))));
    }

    public int port() {
        return server.port();
    }

    /** The URL of a container of the account's storage, which is made, with a signature for these permissions. */
    public URI container(String name, String permissions) {
        store.make(name);
        return blobs.url(name, permissions);
    }

    /** The pools and jobs that exist. */
    public synchronized List<String> resources() {
        return Stream.concat(
                        pools.all().stream()
                                .map(pool -> "pools/" + pool.path("id").asText()),
                        tasks.jobs().stream()
                                .map(job -> "jobs/" + job.path("id").asText()))
                .toList();
    }

    private synchronized Reply answer(Call call) {
        try {
            call.json();
            BatchRules.query(call);
            List<String> path = List.of(call.path().replaceAll("^/+|/+$", "").split("/+"));
            return route(call, path);
        } catch (HttpRefusalException e) {
            return refusal(ArmException.of("InvalidRequestBody")
                    .because(List.of(ArmException.fact("Reason", String.valueOf(e.getMessage())))));
        } catch (ArmException e) {
            return refusal(e);
        }
    }

    private static Reply refusal(ArmException e) {
        return Reply.of(e.status(), error(e));
    }

    private static ObjectNode error(ArmException e) {
        ObjectNode error = Json.object().put("code", e.code());
        error.putObject("message").put("lang", "en-US").put("value", e.text());
        ArrayNode values = Json.array();
        e.error().path("details").forEach(detail -> {
            if (detail.has("key")) {
                values.add(detail);
            }
        });
        if (!values.isEmpty()) {
            error.set("values", values);
        }
        return error;
    }

    private Reply route(Call call, List<String> path) {
        String names = IntStream.range(0, Math.min(path.size(), 5))
                .filter(i -> i % 2 == 0)
                .mapToObj(path::get)
                .collect(Collectors.joining(" "));
        String what = call.method() + " " + names + " " + path.size();
        String first = path.size() > 1 ? path.get(1) : "";
        String second = path.size() > 3 ? path.get(3) : "";
        return switch (what) {
            case "GET supportedimages 1" -> BatchLists.page(call, images(), "supportedimages");
            case "GET pools 1" -> BatchLists.page(call, pools.all(), "pools");
            case "POST pools 1" -> done(201, () -> pools.add(BatchRules.body(call, "PoolAdd"), call.base()));
            case "GET pools 2" -> {
                pools.evaluate(pools.require(first), tasks::samples, call.base());
                yield Reply.ok(BatchLists.selected(call, pools.require(first).body()));
            }
            case "DELETE pools 2" -> done(202, () -> pools.delete(first));
            case "POST pools resize 3" ->
                done(202, () -> pools.resize(first, BatchRules.body(call, "PoolResize"), call.base()));
            case "POST pools enableautoscale 3" ->
                done(
                        200,
                        () -> pools.enableAutoScale(first, BatchRules.body(call, "PoolEnableAutoScale"), call.base()));
            case "POST pools disableautoscale 3" -> done(200, () -> pools.disableAutoScale(first));
            case "GET pools nodes 3" ->
                BatchLists.page(call, pools.require(first).nodes(), "nodes");
            case "GET jobs 1" -> BatchLists.page(call, tasks.jobs(), "jobs");
            case "POST jobs 1" -> done(201, () -> tasks.addJob(BatchRules.body(call, "JobAdd"), call.base()));
            case "GET jobs 2" -> Reply.ok(BatchLists.selected(call, tasks.job(first)));
            case "PATCH jobs 2" -> done(200, () -> tasks.patchJob(first, BatchRules.body(call, "JobPatch")));
            case "POST jobs terminate 3" -> done(202, () -> tasks.terminateJob(first));
            case "POST jobs addtaskcollection 3" -> collection(call, first);
            case "DELETE jobs 2" -> done(202, () -> tasks.deleteJob(first));
            case "GET jobs tasks 3" -> BatchLists.page(call, tasks.tasks(first), "tasks");
            case "POST jobs tasks 3" ->
                done(201, () -> tasks.addTask(first, BatchRules.body(call, "TaskAdd"), call.base()));
            case "GET jobs tasks 4" -> {
                pools.ofJob(tasks.job(first)).ifPresent(pool -> pools.evaluate(pool, tasks::samples, call.base()));
                yield Reply.ok(BatchLists.selected(call, tasks.current(first, second)));
            }
            case "POST jobs tasks terminate 5" -> done(204, () -> tasks.terminate(first, second));
            case "GET jobs tasks files 6" ->
                Reply.text(
                        200,
                        BatchTasks.file(tasks.task(first, second), path.get(path.size() - 1)),
                        "application/octet-stream");
            default -> throw ArmException.of("UnsupportedHttpVerb", call.method(), call.path());
        };
    }

    /** Adds tasks, each of which may be refused without the others. */
    private Reply collection(Call call, String job) {
        ObjectNode body = BatchRules.body(call, "TaskAddCollection");
        tasks.job(job);
        JsonNode all = body.path("value");
        if (all.size() > MOST_TASKS) {
            throw BatchRules.invalid("value", all.size() + " tasks", "The maximum count of Tasks is " + MOST_TASKS);
        }
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("value");
        for (JsonNode each : all) {
            String id = each.path("id").asText();
            ObjectNode result = results.addObject().put("taskId", id);
            try {
                tasks.addTask(job, (ObjectNode) each, call.base());
                JsonNode task = tasks.task(job, id).body;
                result.put("status", "success")
                        .put("location", task.path("url").asText())
                        .put("lastModified", task.path("lastModified").asText());
            } catch (ArmException e) {
                result.put("status", "clienterror").set("error", error(e));
            }
        }
        return Reply.ok(answer);
    }

    private static Reply done(int status, Runnable work) {
        work.run();
        return Reply.empty(status);
    }

    /** The images of the catalog, each with the node agent of its distribution. */
    static List<ObjectNode> images() {
        return Images.standard().all().stream()
                .filter(facts ->
                        facts.reference().filter(Marketplace.class::isInstance).isPresent())
                .map(facts -> {
                    Marketplace image = (Marketplace) facts.reference().orElseThrow();
                    boolean windows = facts.operatingSystem() == OperatingSystem.WINDOWS;
                    String agent = windows ? "windows amd64" : image.offer().toLowerCase(Locale.ROOT);
                    ObjectNode supported = Json.object()
                            .put("nodeAgentSKUId", "batch.node." + agent)
                            .put("osType", windows ? "windows" : "linux")
                            .put("verificationType", "verified");
                    supported
                            .putObject("imageReference")
                            .put("publisher", image.publisher())
                            .put("offer", image.offer())
                            .put("sku", image.sku())
                            .put("version", "latest");
                    return supported;
                })
                .toList();
    }

    @Override
    public void close() {
        server.close();
        blobs.close();
    }
}
