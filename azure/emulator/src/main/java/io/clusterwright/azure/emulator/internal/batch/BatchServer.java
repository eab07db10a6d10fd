package io.clusterwright.azure.emulator.internal.batch;

import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.body;
import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.MarketplaceImage;
import io.clusterwright.azure.emulator.internal.http.ArmServer;
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
import io.clusterwright.emulator.internal.http.RequestTable;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Serves one Batch account over HTTP on the loopback address. */
public final class BatchServer implements AutoCloseable {
    private static final int MOST_TASKS = 100;

    private final BatchPools pools;
    private final BatchTasks tasks;
    private final BlobStore store = new BlobStore();
    private final BlobServer blobs = new BlobServer(store);
    private final RequestTable<List<String>> requests = requests();
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
            BatchRefusals.query(call);
            return requests.answer(call, call.segments())
                    .orElseThrow(() -> ArmException.of("UnsupportedHttpVerb", call.method(), call.path()));
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

    /** The requests of the service; the words of a path are a list, an id, a list in that, and an id again. */
    private RequestTable<List<String>> requests() {
        return new RequestTable<List<String>>()
                .on("GET supportedimages", (call, path) -> BatchLists.page(call, images(), "supportedimages"))
                .on("GET pools", (call, path) -> BatchLists.page(call, pools.all(), "pools"))
                .on("POST pools", done(201, (call, path) -> pools.add(body(call, "PoolAdd"), call.base())))
                .on("GET pools/*", (call, path) -> {
                    pools.evaluate(pools.require(path.get(1)), tasks::samples, call.base());
                    return Reply.ok(
                            BatchLists.selected(call, pools.require(path.get(1)).body()));
                })
                .on("DELETE pools/*", done(202, (call, path) -> pools.delete(path.get(1))))
                .on(
                        "POST pools/*/resize",
                        done(202, (call, path) -> pools.resize(path.get(1), body(call, "PoolResize"), call.base())))
                .on(
                        "POST pools/*/enableautoscale",
                        done(
                                200,
                                (call, path) -> pools.enableAutoScale(
                                        path.get(1), body(call, "PoolEnableAutoScale"), call.base())))
                .on("POST pools/*/disableautoscale", done(200, (call, path) -> pools.disableAutoScale(path.get(1))))
                .on(
                        "GET pools/*/nodes",
                        (call, path) ->
                                BatchLists.page(call, pools.require(path.get(1)).nodes(), "nodes"))
                .on("GET jobs", (call, path) -> BatchLists.page(call, tasks.jobs(), "jobs"))
                .on("POST jobs", done(201, (call, path) -> tasks.addJob(body(call, "JobAdd"), call.base())))
                .on("GET jobs/*", (call, path) -> Reply.ok(BatchLists.selected(call, tasks.job(path.get(1)))))
                .on("PATCH jobs/*", done(200, (call, path) -> tasks.patchJob(path.get(1), body(call, "JobPatch"))))
                .on("POST jobs/*/terminate", done(202, (call, path) -> tasks.terminateJob(path.get(1))))
                .on("POST jobs/*/addtaskcollection", (call, path) -> collection(call, path.get(1)))
                .on("DELETE jobs/*", done(202, (call, path) -> tasks.deleteJob(path.get(1))))
                .on("GET jobs/*/tasks", (call, path) -> BatchLists.page(call, tasks.tasks(path.get(1)), "tasks"))
                .on(
                        "POST jobs/*/tasks",
                        done(201, (call, path) -> tasks.addTask(path.get(1), body(call, "TaskAdd"), call.base())))
                .on("GET jobs/*/tasks/*", (call, path) -> {
                    pools.ofJob(tasks.job(path.get(1)))
                            .ifPresent(pool -> pools.evaluate(pool, tasks::samples, call.base()));
                    return Reply.ok(BatchLists.selected(call, tasks.current(path.get(1), path.get(3))));
                })
                .on(
                        "POST jobs/*/tasks/*/terminate",
                        done(204, (call, path) -> tasks.terminate(path.get(1), path.get(3))))
                .on("GET jobs/*/tasks/*/files/*", (call, path) -> {
                    BatchTasks.Task task = tasks.task(path.get(1), path.get(3));
                    return Reply.text(200, BatchTasks.file(task, path.get(5)), "application/octet-stream");
                });
    }

    /** Adds tasks, each of which may be refused without the others. */
    private Reply collection(Call call, String job) {
        JsonNode all = body(call, "TaskAddCollection").path("value");
        tasks.job(job);
        refuse(all.size() > MOST_TASKS, "tasks", all.size() + " tasks");
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

    private static RequestTable.Handler<List<String>> done(int status, BiConsumer<Call, List<String>> work) {
        return (call, path) -> {
            work.accept(call, path);
            return Reply.empty(status);
        };
    }

    /** The images of the catalog, each with the node agent of its distribution. */
    static List<ObjectNode> images() {
        return MarketplaceImage.all()
                .map(each -> {
                    Marketplace image = each.urn();
                    boolean windows = each.facts().operatingSystem() == OperatingSystem.WINDOWS;
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
