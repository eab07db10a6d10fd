package io.clusterwright.mpi.fabric;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Proves the network between nodes: first one rank on every node, then a ping-pong on pairs of nodes in rounds, each judged against an
 * envelope and compared with the others, and the transport MPI used. Where nodes have several InfiniBand ports, each pair is measured over each
 * rail. Immutable; each method that names a part gives another check.
 *
 * <pre>{@code
 * FabricReport report = FabricCheck.on(cluster).ring().run(Duration.ofMinutes(10));
 * }</pre>
 */
public interface FabricCheck {

    /** The check of these nodes, each with the next, judged against the envelope of the article. */
    static FabricCheck on(JobTarget target) {
        return new FabricSettings(LaunchTarget.withShell(target), FabricEnvelope.article());
    }

    /** The check of the nodes of a cluster, each with the next, judged against the envelope of its description and size. */
    static FabricCheck on(Cluster cluster) {
        return new FabricSettings(LaunchTarget.withShell(JobTarget.of(cluster)), FabricEnvelope.of(cluster.spec()));
    }

    /** Measures each node with the next: 2 rounds, or 3 for an odd number of nodes. */
    FabricCheck ring();

    /** Measures each node with every other: N - 1 rounds, or N for an odd number of nodes. */
    FabricCheck allPairs();

    /** Measures the first two nodes. */
    FabricCheck firstPair();

    /**
     * Measures these pairs, in as few rounds as they fit when they are taken in this order.
     *
     * @throws InvalidValueException when there is no pair
     */
    FabricCheck pairs(List<NodePair> pairs);

    /**
     * Measures the pairs that a description asks for.
     *
     * @throws InvalidValueException for {@link io.clusterwright.core.spec.Verification.Fabric#NONE}
     */
    default FabricCheck pairs(Verification.Fabric fabric) {
        return switch (fabric) {
            case NONE -> throw new InvalidValueException("fabric to check", "none", "pair, ring or all-pairs", "ring");
            case PAIR -> firstPair();
            case RING -> ring();
            case ALL_PAIRS -> allPairs();
        };
    }

    /**
     * At most this many pairs at once. By default all pairs of a round, at most 32; on nodes that share one machine half as many as it has
     * cores, since each pair keeps two cores busy.
     *
     * @throws InvalidValueException when it is not positive
     */
    FabricCheck parallel(int pairs);

    /**
     * At most this long for each pair; by default two minutes.
     *
     * @throws InvalidValueException when it is not positive
     */
    FabricCheck pairLimit(Duration limit);

    /** By this installation, which must be at the same place on every node. */
    FabricCheck installation(MpiInstallation mpi);

    /** Judged against this envelope. */
    FabricCheck envelope(FabricEnvelope envelope);

    /** Without the rank on every node that comes first, because that has been proven already. */
    FabricCheck withoutHostnames();

    /** The headings above the rows that {@link #onFirstTable} hands on. */
    static String firstTableHeader() {
        return BenchmarkRow.pingPongHeader();
    }

    /** With each row of the first pair handed to this listener as it is measured; that pair gets the full table. */
    FabricCheck onFirstTable(Consumer<BenchmarkRow> rows);

    /** With each pair handed to this listener when it is done, one at a time. */
    FabricCheck onPair(Consumer<PairResult> pairs);

    /**
     * Runs the check, at most this long and what ending the last jobs takes. A pair that fails is part of the report and stops no
     * other; what there was no time for is reported as not measured.
     *
     * @throws InvalidValueException when there are fewer than two nodes, or a pair names a node that is not there
     * @throws io.clusterwright.mpi.job.MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread was interrupted; no process of the check is left, and the
     *     interrupt flag is set
     */
    FabricReport run(Duration limit);
}
