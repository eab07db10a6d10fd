package io.clusterwright.mpi.fabric;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Proves the network between nodes. Use it before the first job on new nodes, and to find slow nodes.
 *
 * <p>It runs one rank on every node, and then a ping-pong on pairs of nodes in rounds. Each pair is judged by an
 * envelope and compared with the other pairs, and the transport of MPI is found. Where nodes have several InfiniBand
 * ports, each pair is measured over each rail. Immutable; each method that names a part gives another check.
 *
 * <pre>{@code
 * FabricReport report = FabricCheck.on(cluster).ring().run(Duration.ofMinutes(10));
 * }</pre>
 */
public final class FabricCheck {
    final LaunchTarget target;
    FabricEnvelope envelope;
    String kind = "ring";
    Function<List<NodeName>, PairSchedule> schedule = PairSchedule::ring;
    /** The most pairs at once; 0 for a number that suits the nodes. */
    int parallel;

    Duration pairLimit = Duration.ofMinutes(2);
    boolean hostnames = true;

    @Nullable
    MpiInstallation installation;

    @Nullable
    Consumer<BenchmarkRow> rows;

    Consumer<PairResult> pairs = pair -> {};

    private FabricCheck(LaunchTarget target, FabricEnvelope envelope) {
        this.target = target;
        this.envelope = envelope;
    }

    /** The check of these nodes, each with the next, judged against the envelope of the article. */
    public static FabricCheck on(JobTarget target) {
        return new FabricCheck(LaunchTarget.withShell(target), FabricEnvelope.article());
    }

    /** The check of the nodes of a cluster, each with the next, judged against the envelope of its spec and size. */
    public static FabricCheck on(Cluster cluster) {
        return new FabricCheck(LaunchTarget.withShell(JobTarget.of(cluster)), FabricEnvelope.of(cluster.spec()));
    }

    /** Measures each node with the next: 2 rounds, or 3 for an odd number of nodes. */
    public FabricCheck ring() {
        return schedule("ring", PairSchedule::ring);
    }

    /** Measures each node with every other: N - 1 rounds, or N for an odd number of nodes. */
    public FabricCheck allPairs() {
        return schedule("all-pairs", PairSchedule::allPairs);
    }

    /** Measures the first two nodes. */
    public FabricCheck firstPair() {
        return schedule("pair", PairSchedule::firstPair);
    }

    /**
     * Measures these pairs, in as few rounds as they fit when they are taken in this order.
     *
     * @throws InvalidValueException when there is no pair
     */
    public FabricCheck pairs(List<NodePair> some) {
        PairSchedule fixed = PairSchedule.of(some);
        return schedule("pairs", nodes -> fixed);
    }

    /**
     * Measures the pairs that a spec asks for.
     *
     * @throws InvalidValueException for {@link io.clusterwright.core.spec.Verification.Fabric#NONE}
     */
    public FabricCheck pairs(Verification.Fabric fabric) {
        return switch (fabric) {
            case NONE -> throw new InvalidValueException("kind of pairs", "none", "pair, ring or all-pairs", "ring");
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
    public FabricCheck parallel(int most) {
        if (most < 1) {
            throw new InvalidValueException("number of pairs at a time", most, "1 or more", "4");
        }
        return with(copy -> copy.parallel = most);
    }

    /**
     * At most this long for each pair; by default two minutes.
     *
     * @throws InvalidValueException when it is not positive
     */
    public FabricCheck pairLimit(Duration limit) {
        requirePositive("time of a pair", limit, "PT2M");
        return with(copy -> copy.pairLimit = limit);
    }

    /** By this installation, which must be at the same place on every node. */
    public FabricCheck installation(MpiInstallation mpi) {
        return with(copy -> copy.installation = mpi);
    }

    /** Judged against this envelope. */
    public FabricCheck envelope(FabricEnvelope limits) {
        return with(copy -> copy.envelope = limits);
    }

    /** Without the rank on every node that comes first, because that has been proven already. */
    public FabricCheck withoutHostnames() {
        return with(copy -> copy.hostnames = false);
    }

    /** The headings above the rows that {@link #onFirstTable} hands on. */
    public static String firstTableHeader() {
        return BenchmarkRow.pingPongHeader();
    }

    /** With each row of the first pair handed to this listener as it is measured; that pair gets the full table. */
    public FabricCheck onFirstTable(Consumer<BenchmarkRow> listener) {
        return with(copy -> copy.rows = listener);
    }

    /** With each pair handed to this listener when it is done, one at a time. */
    public FabricCheck onPair(Consumer<PairResult> listener) {
        Objects.requireNonNull(listener, "listener");
        return with(copy -> copy.pairs = listener);
    }

    /**
     * Runs the check, at most this long and what ending the last jobs takes. A pair that fails is part of the report and stops no
     * other; what there was no time for is reported as not measured.
     *
     * @throws InvalidValueException when there are fewer than two nodes, or a pair names a node that is not there
     * @throws io.clusterwright.mpi.job.MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread was interrupted; no process
     * of the check is left, and the
     *     interrupt flag is set
     */
    public FabricReport run(Duration limit) {
        requirePositive("time of a check", limit, "PT10M");
        return new FabricRun(this, Deadline.in("time of the check", limit)).run();
    }

    private FabricCheck schedule(String name, Function<List<NodeName>, PairSchedule> rounds) {
        return with(copy -> {
            copy.kind = name;
            copy.schedule = rounds;
        });
    }

    private FabricCheck with(Consumer<FabricCheck> change) {
        FabricCheck copy = new FabricCheck(target, envelope);
        copy.kind = kind;
        copy.schedule = schedule;
        copy.parallel = parallel;
        copy.pairLimit = pairLimit;
        copy.hostnames = hostnames;
        copy.installation = installation;
        copy.rows = rows;
        copy.pairs = pairs;
        change.accept(copy);
        return copy;
    }

    private static void requirePositive(String what, Duration limit, String example) {
        if (limit.isZero() || limit.isNegative()) {
            throw new InvalidValueException(what, limit, "a positive duration", example);
        }
    }
}
