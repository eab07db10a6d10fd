package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.QueuedJobStatus;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A pool of Batch as the target of MPI jobs, each a multi-instance task. Batch chooses the nodes of a job: some nodes of the target mean a
 * job on that number of nodes.
 *
 * @param spec the description of the pool, whose account for MPI jobs run as
 * @param coordination the command that each node runs before a job, as words; empty for none
 */
public record BatchTarget(
        BatchCalls calls, ClusterSpec spec, List<LaunchNode> nodes, MpiInstallation mpi, List<String> coordination)
        implements SchedulerTarget {
    private static final String TASK = "mpi";
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
    public String preset() {
        return spec.mpi().preset();
    }

    @Override
    public Set<String> suppressed() {
        return Set.copyOf(spec.suppress());
    }

    @Override
    public Map<String, String> environment() {
        return spec.mpi().env();
    }

    private String pool() {
        return spec.name().value();
    }

    @Override
    public SchedulerTarget only(Collection<NodeName> names) {
        return new BatchTarget(calls, spec, LaunchNode.select(nodes, names), mpi, coordination);
    }

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        String job = pool() + "-" + UUID.randomUUID().toString().substring(0, 8);
        ObjectNode task = BatchBodies.task(
                TASK,
                spec.mpiUser().value(),
                request.usedNodes().size(),
                MpiScript.of(request),
                coordination,
                limit.compareTo(LONGEST) > 0 ? LONGEST : limit);
        ObjectNode body = Json.object().put("id", job);
        body.putObject("poolInfo").put("poolId", pool());
        calls.postNew("make job " + job, "/jobs", body, "JobExists");
        try {
            calls.postNew("submit job " + job, "/jobs/" + job + "/tasks", task, "TaskExists");
        } catch (AzureException e) {
            try {
                calls.delete("delete job " + job, "/jobs/" + job);
            } catch (AzureException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        return new Job(calls, job, List.of(request.mpi().mpirun()));
    }

    @Override
    public ScheduledJob find(String id) {
        if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new InvalidValueException(
                    "id of a Batch job", id, "1 to 64 letters, digits, '-' and '_'", pool() + "-1a2b3c4d");
        }
        return new Job(calls, id, List.of());
    }

    private record Job(BatchCalls calls, String id, List<String> command) implements ScheduledJob {

        @Override
        public String name() {
            return "Batch job " + id;
        }

        @Override
        public QueuedJobStatus status() {
            JsonNode task;
            try {
                task = calls.get("read job " + id, path());
            } catch (AzureException e) {
                if (e.reason() == Reason.NOT_FOUND) {
                    return QueuedJobStatus.of(QueuedJobStatus.State.UNKNOWN, "deleted", "");
                }
                throw e;
            }
            String state = task.path("state").asText();
            if (!state.equals("completed")) {
                return QueuedJobStatus.of(
                        state.equals("running") ? QueuedJobStatus.State.RUNNING : QueuedJobStatus.State.WAITING,
                        state,
                        "");
            }
            return ended(task.path("executionInfo"));
        }

        /** The exit code of a task that Batch ended is no answer of the program. */
        private static QueuedJobStatus ended(JsonNode info) {
            String code = info.path("failureInfo").path("code").asText();
            String message = info.path("failureInfo").path("message").asText();
            boolean programFailed = code.isEmpty() || code.equals("FailureExitCode");
            QueuedJobStatus.State state = info.path("result").asText().equalsIgnoreCase("success")
                    ? QueuedJobStatus.State.SUCCEEDED
                    : programFailed
                            ? QueuedJobStatus.State.FAILED
                            : message.contains("maxWallClockTime")
                                    ? QueuedJobStatus.State.TIMED_OUT
                                    : code.equals("TaskEnded")
                                            ? QueuedJobStatus.State.CANCELLED
                                            : QueuedJobStatus.State.FAILED;
            QueuedJobStatus status =
                    QueuedJobStatus.of(state, "completed", code.isEmpty() ? "" : code + ": " + message);
            return info.hasNonNull("exitCode")
                    ? status.withExitStatus(info.path("exitCode").asInt())
                    : status;
        }

        @Override
        public QueuedJobStatus poll(OutputListener output) {
            QueuedJobStatus now = status();
            if (now.ended()) {
                send(output, OutputListener.Stream.STDOUT, file("stdout.txt"));
                send(output, OutputListener.Stream.STDERR, file("stderr.txt"));
            }
            return now;
        }

        private static void send(OutputListener output, OutputListener.Stream stream, String text) {
            byte[] all = text.getBytes(StandardCharsets.UTF_8);
            output.onOutput(stream, all, all.length);
        }

        /** Standard output of all ranks, and then their standard error. */
        @Override
        public String output() {
            return file("stdout.txt") + file("stderr.txt");
        }

        @Override
        public Map<NodeName, Leftovers> cancel(String reason) {
            try {
                calls.post("end job " + id, path() + "/terminate", Json.object());
            } catch (AzureException e) {
                if (!e.code().equals("TaskCompleted")) {
                    throw e;
                }
            }
            return Map.of();
        }

        /** A task that never ran has no files. */
        private String file(String name) {
            try {
                return calls.text("read " + name + " of job " + id, path() + "/files/" + name);
            } catch (AzureException e) {
                if (e.reason() == Reason.NOT_FOUND) {
                    return "";
                }
                throw e;
            }
        }

        private String path() {
            return "/jobs/" + id + "/tasks/" + TASK;
        }
    }
}
