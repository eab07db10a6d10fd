package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.BatchPool;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SubnetSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The pool of a description.
 *
 * @param start a script for each node; empty for none
 * @param settings further properties of the request that makes it, with keys of storage accounts
 * @param files the common files of its jobs
 */
public record Pool(BatchCalls calls, ClusterSpec spec, String start, ObjectNode settings, CommonFiles files)
        implements BatchPool {
    private static final List<String> READY = List.of("idle", "running");
    /** States of nodes that take no task. */
    static final List<String> LOST = List.of("starttaskfailed", "unusable", "preempted");

    private static final int PASSWORD_BYTES = 24;
    /** Batch alone knows the nodes of a job, and a pool with a formula may have none yet. */
    static final Ipv4Address UNKNOWN = Ipv4Address.of("0.0.0.0");

    /** The pool of a description without further settings. */
    public static Pool of(BatchCalls calls, ClusterSpec spec) {
        ObjectNode settings = Json.object();
        spec.network().subnet().id().ifPresent(id -> PoolSettings.subnet(settings, id));
        return new Pool(calls, spec, "", settings, CommonFiles.NONE);
    }

    private Pool with(Consumer<ObjectNode> change) {
        ObjectNode changed = settings.deepCopy();
        change.accept(changed);
        return new Pool(calls, spec, start, changed, files);
    }

    private Pool with(CommonFiles other) {
        return new Pool(calls, spec, start, settings, other);
    }

    @Override
    public Pool subnet(String id) {
        return with(all -> PoolSettings.subnet(
                all, SubnetSpec.builder().id(id).build().id().orElseThrow()));
    }

    @Override
    public Pool mountAzureFiles(URI share, Secret accountKey, String folder, String options) {
        return with(all -> PoolSettings.files(all, share, accountKey, folder, options));
    }

    @Override
    public Pool mountBlobs(URI container, Secret accountKey, String folder, String options) {
        return with(all -> PoolSettings.blobs(all, container, accountKey, folder, options));
    }

    @Override
    public Pool mountNfs(String source, String folder, String options) {
        return with(all -> PoolSettings.nfs(all, source, folder, options));
    }

    @Override
    public Pool autoScale(String formula, Duration interval) {
        return with(all -> PoolSettings.autoScale(all, formula, interval));
    }

    @Override
    public Pool startScript(String script) {
        return new Pool(calls, spec, Objects.requireNonNull(script, "script"), settings, files);
    }

    @Override
    public Pool storage(Secret container) {
        return with(files.through(BatchStorage.of(container)));
    }

    @Override
    public Pool commonFile(URI file, String path) {
        return with(files.withUrl(file, path));
    }

    @Override
    public Pool commonFiles(URI container, String prefix, String folder) {
        return with(files.withContainer(container, prefix, folder));
    }

    @Override
    public Pool commonFiles(String container, String prefix, String folder) {
        return with(files.withContainer(container, prefix, folder));
    }

    @Override
    public Pool create() {
        String what = "make pool " + id();
        Marketplace image = BatchBodies.image(spec);
        String agent = nodeAgent();
        byte[] password = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(password);
        String random = ClusterId.random(spec.name()).id();
        ObjectNode body = BatchBodies.pool(
                spec,
                random,
                image,
                agent,
                NodeBackend.of(OperatingSystem.LINUX).newKeyPair("clusterwright-" + id()),
                Secret.of(Base64.getEncoder().encodeToString(password)),
                start);
        PoolSettings.apply(settings, body);
        try {
            calls.post(what, "/pools", body);
        } catch (AzureException e) {
            // A pool with the id of this call was made by it, and the answer was lost.
            boolean ours = e.code().equals("PoolExists")
                    && BatchBodies.metadata(calls.get("read pool " + id(), path()), Tags.ID)
                            .equals(random);
            if (!ours) {
                throw e;
            }
        }
        return this;
    }

    @Override
    public String nodeAgent() {
        if (spec.operatingSystem() != OperatingSystem.LINUX) {
            throw windows();
        }
        String agent = BatchBodies.agent(
                BatchBodies.image(spec), calls.list("list the images that Batch supports", "/supportedimages"));
        if (agent.startsWith("batch.node.windows")) {
            throw windows();
        }
        return agent;
    }

    private AzureException windows() {
        return Errors.of(
                Reason.OTHER,
                "make pool " + id(),
                "jobs start on pools of Linux nodes only, and its image is of Windows; choose an image of Linux, or for MS-MPI a"
                        + " cluster of HPC Pack (scheduler: hpc-pack)");
    }

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
        Optional<VmSizeFacts> size = VmSizes.standard().ofNodes(spec);
        int slots =
                spec.mpi().ranksPerNode().orElse(size.map(VmSizeFacts::vcpus).orElse(1));
        List<Ipv4Address> addresses = nodes().stream()
                .filter(node -> !node.address().isEmpty())
                .map(node -> Ipv4Address.of(node.address()))
                .collect(Collectors.toCollection(ArrayList::new));
        List<NodeName> names = spec.nodes().names();
        if (addresses.size() < names.size()
                && calls.get("read pool " + id(), path())
                        .path("enableAutoScale")
                        .asBoolean()) {
            addresses.addAll(Collections.nCopies(names.size() - addresses.size(), UNKNOWN));
        }
        if (addresses.isEmpty()) {
            throw Errors.of(
                    Reason.NOT_FOUND, "use pool " + id(), "it has no nodes with an address yet; call awaitReady");
        }
        List<LaunchNode> places = IntStream.range(0, Math.min(names.size(), addresses.size()))
                .mapToObj(i -> new LaunchNode(names.get(i), addresses.get(i), slots))
                .toList();
        return new BatchTarget(calls, spec, places, mpi, List.of(coordination), files, 0);
    }

    @Override
    public void deleteJob(String job) {
        calls.delete("delete job " + job, "/jobs/" + job);
    }

    @Override
    public void delete() {
        BatchJob.deletePool(calls, id());
    }

    private void requireNoErrors(JsonNode pool) {
        JsonNode formula = pool.at("/autoScaleRun/error");
        if (formula.isObject()) {
            throw Errors.of(
                    Reason.OTHER,
                    formula.path("code").asText(),
                    "evaluate the formula of pool " + id(),
                    formula.path("message").asText(),
                    null);
        }
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

    /** Its id: the settings hold keys. */
    @Override
    public String toString() {
        return "pool " + id();
    }
}
