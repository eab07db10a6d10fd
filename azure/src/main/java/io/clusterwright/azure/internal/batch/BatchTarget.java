package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A pool of Batch as the target of MPI jobs, each a multi-instance task. Batch chooses the nodes of a job: some nodes of the target mean a
 * job on that number of nodes.
 *
 * @param spec the spec of the pool, whose account for MPI jobs run as
 * @param coordination the command that each node runs before a job, as words; empty for none
 * @param files the common files of its jobs
 * @param instances the number of nodes that a job takes in order to run on just these; 0 for as many as it uses, chosen by Batch
 */
public record BatchTarget(
        BatchCalls calls,
        ClusterSpec spec,
        List<LaunchNode> nodes,
        MpiInstallation mpi,
        List<String> coordination,
        CommonFiles files,
        int instances)
        implements SchedulerTarget {
    /** Batch alone knows the nodes of a job, and a pool with a formula may have none yet. */
    public static final Ipv4Address UNKNOWN = Ipv4Address.of("0.0.0.0");

    /** States of nodes that take no task. */
    public static final List<String> LOST = List.of("starttaskfailed", "unusable", "preempted");

    /** Batch ends any task after this time. */
    private static final Duration LONGEST = Duration.ofDays(180);

    /** Copies the lists. */
    public BatchTarget {
        nodes = List.copyOf(nodes);
        coordination = List.copyOf(coordination);
    }

    @Override
    public Optional<MpiInstallation> installation() {
        return Optional.of(mpi);
    }

    @Override
    public Interconnect interconnect() {
        return VmSizes.standard().ofNodes(spec).map(VmSizeFacts::interconnect).orElse(Interconnect.NONE);
    }

    @Override
    public MpiSettings defaults() {
        return spec.mpi();
    }

    @Override
    public Set<String> suppressed() {
        return Set.copyOf(spec.suppress());
    }

    private String pool() {
        return spec.name().value();
    }

    @Override
    public SchedulerTarget only(Collection<NodeName> names) {
        return new BatchTarget(calls, spec, LaunchNode.select(nodes, names), mpi, coordination, files, instances);
    }

    /** Jobs of this target take the whole pool, since Batch lets no one choose the nodes of a task. */
    @Override
    public SchedulerTarget exactly(Collection<NodeName> names) {
        List<LaunchNode> chosen = LaunchNode.select(nodes, names);
        if (chosen.stream().anyMatch(node -> node.address().equals(UNKNOWN))) {
            throw Errors.of(
                    Reason.NOT_FOUND,
                    "choose nodes of pool " + pool(),
                    "some nodes have no address yet; wait until the formula of the pool has created them");
        }
        return new BatchTarget(
                calls, spec, chosen, mpi, coordination, files, instances == 0 ? nodes.size() : instances);
    }

    @Override
    public List<NodeName> lost() {
        Map<String, String> states =
                calls.list("list the nodes of pool " + pool(), "/pools/" + pool() + "/nodes").stream()
                        .collect(Collectors.toMap(
                                node -> node.path("ipAddress").asText(),
                                node -> node.path("state").asText(),
                                (one, other) -> one));
        return nodes.stream()
                .filter(node -> !node.address().equals(UNKNOWN))
                .filter(node -> {
                    String state = states.getOrDefault(node.address().toString(), "unknown");
                    return state.equals("unknown") || LOST.contains(state);
                })
                .map(LaunchNode::name)
                .toList();
    }

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        String job = pool() + "-" + UUID.randomUUID().toString().substring(0, 8);
        ObjectNode task = BatchBodies.task(
                BatchJob.TASK,
                spec.mpiUser().value(),
                instances == 0 ? request.usedNodes().size() : instances,
                MpiScript.of(request, instances != 0),
                coordination,
                files,
                limit.compareTo(LONGEST) > 0 ? LONGEST : limit);
        calls.postNew("create job " + job, "/jobs", BatchBodies.job(job, pool(), request.program()), "JobExists");
        try {
            calls.postNew("submit job " + job, "/jobs/" + job + "/tasks", task, "TaskExists");
            endAfterItsTask(job);
        } catch (AzureException e) {
            try {
                calls.delete("delete job " + job, "/jobs/" + job);
            } catch (AzureException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        return new BatchJob(calls, job, List.of(request.mpi().mpirun()));
    }

    /**
     * A job that stays active counts against the account's quota. One without a task would end at once, so that this
     * comes after the task.
     */
    private void endAfterItsTask(String job) {
        try {
            calls.patch(
                    "let job " + job + " end after its task",
                    "/jobs/" + job,
                    Json.object().put("onAllTasksComplete", "terminatejob"));
        } catch (AzureException e) {
            // The answer to this was lost, and the task was short.
            if (!e.code().equals("JobCompleted")) {
                throw e;
            }
        }
    }

    @Override
    public SchedulerTarget staging(Map<String, Path> staged) {
        return new BatchTarget(calls, spec, nodes, mpi, coordination, files.withLocal(staged), instances);
    }

    @Override
    public ScheduledJob find(String id) {
        return BatchJob.find(calls, id);
    }

    @Override
    public List<QueuedJob.Listed> jobs() {
        return BatchJob.list(calls, Set.of(pool()));
    }
}
