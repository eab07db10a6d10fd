package io.clusterwright.azure;

import io.clusterwright.azure.internal.batch.MpiScript;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiJob;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An MPI job as a multi-instance task: when the coordination command has ended on all nodes, the launcher is started on the first.
 * Immutable. Of the job count program, arguments, ranks and variables; files must be on the nodes already.
 */
public final class BatchTask {
    private static final Duration DAY = Duration.ofDays(1);

    private final MpiJob job;
    private final MpiFlavour flavour;
    private final int nodes;
    private final String launcher;
    private final List<String> coordination;
    private final Duration limit;

    private BatchTask(
            MpiJob job, MpiFlavour flavour, int nodes, String launcher, List<String> coordination, Duration limit) {
        this.job = job;
        this.flavour = flavour;
        this.nodes = nodes;
        this.launcher = launcher;
        this.coordination = coordination;
        this.limit = limit;
    }

    /**
     * A job on that many nodes of a pool, started by the {@code mpirun} of this MPI, for a day at most.
     *
     * @param nodes 1 or more
     * @throws IllegalArgumentException when there are no nodes, the ranks do not fit them, or the MPI is MVAPICH2 or MS-MPI
     */
    public static BatchTask of(MpiJob job, MpiFlavour flavour, int nodes) {
        if (nodes < 1) {
            throw new IllegalArgumentException("a task needs 1 node or more, not " + nodes);
        }
        BatchTask task = new BatchTask(
                Objects.requireNonNull(job, "job"),
                Objects.requireNonNull(flavour, "flavour"),
                nodes,
                "mpirun",
                List.of(),
                DAY);
        task.script();
        return task;
    }

    /** The same with this launcher, such as {@code /opt/openmpi/bin/mpirun}. */
    public BatchTask launcher(String path) {
        return new BatchTask(job, flavour, nodes, Objects.requireNonNull(path, "path"), coordination, limit);
    }

    /** The same with this command on every node before; it must return. By default there is nothing to do. */
    public BatchTask coordination(String... words) {
        return new BatchTask(job, flavour, nodes, launcher, List.of(words), limit);
    }

    /**
     * The same with another limit, after which Batch ends it.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public BatchTask limit(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("limit " + time + " is not positive, such as PT2H");
        }
        return new BatchTask(job, flavour, nodes, launcher, coordination, time);
    }

    /** How many nodes it takes. */
    public int nodes() {
        return nodes;
    }

    Duration limit() {
        return limit;
    }

    List<String> coordination() {
        return coordination;
    }

    String script() {
        int perNode = job.ranksPerNode().orElse((job.ranks().orElse(nodes) + nodes - 1) / nodes);
        int ranks = job.ranks().orElse(perNode * nodes);
        if (ranks > perNode * nodes) {
            throw new IllegalArgumentException(ranks + " ranks do not fit " + nodes + " nodes with " + perNode
                    + " ranks each; raise ranksPerNode or the number of nodes");
        }
        return MpiScript.of(flavour, launcher, nodes, perNode, ranks, job.environment(), job.program());
    }
}
