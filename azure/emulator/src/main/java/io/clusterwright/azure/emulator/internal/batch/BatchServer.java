package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.http.ArmServer;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.LoopbackServer;
import io.clusterwright.core.internal.http.Recorder;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ImageReference.Marketplace;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Serves one Batch account over HTTP on the loopback address. */
public final class BatchServer implements AutoCloseable {
    private static final String VERSION = "[0-9]{4}-[0-9]{2}-[0-9]{2}(\\.[0-9.]+)?";

    private final BatchPools pools;
    private final BatchTasks tasks;
    private final LoopbackServer server;

    /**
     * @param space the addresses of all nodes
     * @param port the port; 0 for any that is free
     */
    public BatchServer(Machines machines, AddressRange space, Recorder recorder, int port) {
        BatchNodes nodes = new BatchNodes(machines, space);
        this.pools = new BatchPools(nodes, this);
        this.tasks = new BatchTasks(pools, nodes, this);
        this.server = new LoopbackServer(
                "batch-emulator", port, null, recorder, call -> Optional.of(ArmServer.withRequestId(answer(call))));
    }

    public int port() {
        return server.port();
    }

    private synchronized Reply answer(Call call) {
        try {
            call.json();
            if (!call.query("api-version").matches(VERSION)) {
                throw ArmException.of("MissingRequiredQueryParameter");
            }
            List<String> path = List.of(call.path().replaceAll("^/+|/+$", "").split("/+"));
            return route(call, path);
        } catch (HttpRefusalException e) {
            return refusal(ArmException.malformed(e));
        } catch (ArmException e) {
            return refusal(e);
        }
    }

    private static Reply refusal(ArmException e) {
        ObjectNode message = Json.object().put("lang", "en-US").put("value", e.text());
        return Reply.of(e.status(), Json.object().put("code", e.code()).set("message", message));
    }

    private Reply route(Call call, List<String> path) {
        String what =
                call.method() + " " + path.get(0) + (path.size() > 2 ? " " + path.get(2) : "") + " " + path.size();
        String first = path.size() > 1 ? path.get(1) : "";
        String second = path.size() > 3 ? path.get(3) : "";
        switch (what) {
            case "GET supportedimages 1":
                return list(images());
            case "POST pools 1":
                pools.add(call.object(), call.base());
                return Reply.empty(201);
            case "GET pools 2":
                return Reply.ok(pools.require(first).body().deepCopy());
            case "DELETE pools 2":
                pools.delete(first);
                return Reply.empty(202);
            case "GET pools nodes 3":
                return list(pools.require(first).nodes());
            case "POST jobs 1":
                tasks.addJob(call.object(), call.base());
                return Reply.empty(201);
            case "GET jobs 2":
                return Reply.ok(tasks.job(first).deepCopy());
            case "DELETE jobs 2":
                tasks.deleteJob(first);
                return Reply.empty(202);
            case "POST jobs tasks 3":
                tasks.addTask(first, call.object(), call.base());
                return Reply.empty(201);
            case "GET jobs tasks 4":
                tasks.schedule();
                return Reply.ok(tasks.task(first, second).body.deepCopy());
            case "POST jobs tasks 5":
                if (path.get(4).equals("terminate")) {
                    tasks.terminate(first, second);
                    return Reply.empty(204);
                }
                break;
            case "GET jobs tasks 6":
                if (path.get(4).equals("files")) {
                    String text = BatchTasks.file(tasks.task(first, second), path.get(5));
                    return Reply.text(200, text, "application/octet-stream");
                }
                break;
            default:
        }
        throw ArmException.of("UnsupportedHttpVerb", call.method(), call.path());
    }

    private static Reply list(Collection<? extends JsonNode> items) {
        ArrayNode value = Json.array();
        items.forEach(item -> value.add(item.deepCopy()));
        ObjectNode body = Json.object();
        body.set("value", value);
        return Reply.ok(body);
    }

    /** The Linux images of the catalog, each with the node agent of its distribution. */
    private static List<ObjectNode> images() {
        return Images.standard().all().stream()
                .filter(image -> image.operatingSystem() == OperatingSystem.LINUX)
                .flatMap(image -> image.reference().stream())
                .filter(Marketplace.class::isInstance)
                .map(Marketplace.class::cast)
                .map(image -> {
                    ObjectNode supported = Json.object()
                            .put("nodeAgentSKUId", "batch.node." + image.offer().toLowerCase(Locale.ROOT))
                            .put("osType", "linux")
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
    }
}
