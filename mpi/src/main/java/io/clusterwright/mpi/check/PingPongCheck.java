package io.clusterwright.mpi.check;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobInterruptedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiNotFoundException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures latency and bandwidth between two nodes with the benchmark that is there (NetPIPE, IMB or OSU), or with a program of this
 * library where none is but Java 17, and holds the table against a rule. Over TCP there is no rule to hold it against, and the verdict
 * says so. Immutable; each method that names a part gives another check.
 */
public interface PingPongCheck {

    /**
     * The check of the first two nodes by the article's rule.
     *
     * @throws InvalidValueException when there is only one node
     */
    static PingPongCheck on(JobTarget target) {
        List<NodeName> nodes = target.nodeNames();
        if (nodes.size() < 2) {
            throw new InvalidValueException(
                    "list of nodes for a ping-pong", nodes.toString(), "at least two nodes", "[node1, node2]");
        }
        return between(target, nodes.get(0), nodes.get(1));
    }

    /**
     * The check of two nodes by the article's rule; the first starts it.
     *
     * @throws InvalidValueException when the target has no such node
     */
    static PingPongCheck between(JobTarget target, NodeName first, NodeName second) {
        return Checks.pingPong(Checks.nodes(target).exactly(List.of(first, second)));
    }

    /** The same check by this installation. */
    PingPongCheck installation(MpiInstallation mpi);

    /** The same check by another rule. */
    PingPongCheck rule(LatencyEnvelope envelope);

    /** The same check with each row handed to this listener as soon as it is measured. */
    PingPongCheck onRow(Consumer<BenchmarkRow> rows);

    /**
     * Runs the check, at most this long. A benchmark that has printed its whole table and does not end within 5 s is
     * ended, and its table counts: MPICH before 4.2 over UCX can wait for ever in MPI_Finalize.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.ClusterwrightException when no benchmark for that MPI is on the first node, and Java 17 not on
     *     both
     * @throws JobInterruptedException when this thread was interrupted
     */
    Report run(Duration limit);

    /** The result of a ping-pong between two nodes. Immutable. */
    interface Report {

        /**
         * Whether the benchmark gave its whole table. It may have been ended afterwards for not ending by itself, which is a
         * finding then and no failure.
         */
        boolean measured();

        /** The run, with the findings about it and its table. */
        JobResult result();

        /** The measured table; absent when there is none. */
        Optional<BenchmarkReport> table();

        /** The verdict about the table. */
        Verdict verdict();

        /**
         * The table as an SVG picture, entitled with the nodes, the MPI and the network, with the limit that the table was held against;
         * absent when nothing was measured.
         */
        Optional<String> toSvg();
    }
}
