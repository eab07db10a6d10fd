package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.BatchPool;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The pool of a description. */
public record Pool(BatchCalls calls, ClusterSpec spec) implements BatchPool {
    private static final List<String> READY = List.of("idle", "running");
    private static final List<String> LOST = List.of("starttaskfailed", "unusable", "preempted");

    @Override
    public String id() {
        return spec.name().value();
    }

    @Override
    public List<Node> nodes() {
        return nodes(read());
    }

    private List<JsonNode> read() {
        return calls.list("list the nodes of pool " + id(), path() + "/nodes");
    }

    private static List<Node> nodes(List<JsonNode> nodes) {
        return nodes.stream()
                .map(node -> new Node(
                        node.path("id").asText(),
                        node.path("ipAddress").asText(),
                        node.path("state").asText()))
                .toList();
    }

    @Override
    public List<Node> awaitReady(Duration limit) {
        String what = "wait for the nodes of pool " + id();
        Deadline deadline = Deadline.in("wait for the nodes", limit);
        while (true) {
            JsonNode pool = calls.get("read pool " + id(), path());
            requireNoErrors(pool);
            List<JsonNode> there = read();
            there.forEach(this::requireNotLost);
            List<Node> nodes = nodes(there);
            int wanted = pool.path("targetDedicatedNodes").asInt()
                    + pool.path("targetLowPriorityNodes").asInt();
            boolean steady = pool.path("allocationState").asText().equals("steady");
            long ready =
                    nodes.stream().filter(node -> READY.contains(node.state())).count();
            if (steady && ready >= wanted) {
                return nodes;
            }
            if (deadline.passed()) {
                throw Errors.of(
                        Reason.TIMEOUT,
                        what,
                        ready + " of " + wanted + " are ready after " + limit.toSeconds() + " s: "
                                + nodes.stream()
                                        .map(node -> node.id() + " " + node.state())
                                        .collect(Collectors.joining(", ")));
            }
            calls.pause(what);
        }
    }

    @Override
    public JobTarget target(MpiInstallation mpi, String... coordination) {
        int cores = spec.nodes()
                .size()
                .flatMap(size -> VmSizes.standard().find(size))
                .map(VmSizeFacts::vcpus)
                .orElse(1);
        List<LaunchNode> places = new ArrayList<>();
        List<NodeName> names = spec.nodes().names();
        for (Node node : nodes()) {
            if (!node.address().isEmpty() && places.size() < names.size()) {
                places.add(new LaunchNode(names.get(places.size()), Ipv4Address.parse(node.address()), cores));
            }
        }
        if (places.isEmpty()) {
            throw Errors.of(
                    Reason.NOT_FOUND, "use pool " + id(), "it has no nodes with an address yet; call awaitReady");
        }
        return new BatchTarget(calls, id(), spec.mpiUser().value(), places, mpi, List.of(coordination));
    }

    @Override
    public void deleteJob(String job) {
        calls.delete("delete job " + job, "/jobs/" + job);
    }

    @Override
    public void delete() {
        calls.delete("delete pool " + id(), path());
    }

    private void requireNoErrors(JsonNode pool) {
        JsonNode error = pool.path("resizeErrors").path(0);
        if (error.isObject()) {
            String code = error.path("code").asText();
            throw Errors.of(
                    code.contains("Quota") ? Reason.QUOTA : Reason.CAPACITY,
                    code,
                    "make the nodes of pool " + id(),
                    error.path("message").asText(),
                    null);
        }
    }

    private void requireNotLost(JsonNode node) {
        String state = node.path("state").asText();
        if (LOST.contains(state)) {
            String why = node.at("/startTaskInfo/failureInfo/message").asText();
            String error = node.at("/errors/0/message").asText();
            throw Errors.of(
                    Reason.PROVISIONING,
                    "start node " + node.path("id").asText() + " of pool " + id(),
                    "it is " + state + ": " + (why.isEmpty() ? error : why));
        }
    }

    private String path() {
        return "/pools/" + id();
    }
}
