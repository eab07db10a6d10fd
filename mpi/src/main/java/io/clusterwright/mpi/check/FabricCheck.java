package io.clusterwright.mpi.check;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Proves the network between nodes: first one rank on every node, then a ping-pong on pairs of nodes in rounds, each judged against an
 * envelope and compared with the others, and the transport MPI used. Immutable; each method that names a part gives another check.
 *
 * <pre>{@code
 * FabricReport report = FabricCheck.ring().on(cluster).run(Duration.ofMinutes(10));
 * }</pre>
 */
public final class FabricCheck {
    private final Settings settings;

    private FabricCheck(Settings settings) {
        this.settings = settings;
    }

    /** Each node with the next: 2 rounds, or 3 for an odd number of nodes. */
    public static FabricCheck ring() {
        return new FabricCheck(Settings.of("ring", PairSchedule::ring));
    }

    /** Each node with every other: N - 1 rounds, or N for an odd number of nodes. */
    public static FabricCheck allPairs() {
        return new FabricCheck(Settings.of("all-pairs", PairSchedule::allPairs));
    }

    /** The first two nodes. */
    public static FabricCheck firstPair() {
        return new FabricCheck(Settings.of("pair", nodes -> PairSchedule.ring(nodes.subList(0, 2))));
    }

    /** These pairs, in as few rounds as they fit when they are taken in this order. */
    public static FabricCheck pairs(List<NodePair> pairs) {
        PairSchedule schedule = PairSchedule.of(pairs);
        return new FabricCheck(Settings.of("pairs", nodes -> schedule));
    }

    /**
     * The check that a description asks for.
     *
     * @throws InvalidValueException for {@link io.clusterwright.core.spec.Verification.Fabric#NONE}
     */
    public static FabricCheck of(Verification.Fabric fabric) {
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
    public FabricCheck parallel(int pairs) {
        if (pairs < 1) {
            throw new InvalidValueException("number of pairs at a time", Integer.toString(pairs), "1 or more", "4");
        }
        return new FabricCheck(settings.withParallel(pairs));
    }

    /**
     * At most this long for each pair; by default two minutes.
     *
     * @throws InvalidValueException when it is not positive
     */
    public FabricCheck pairLimit(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new InvalidValueException("time of a pair", limit.toString(), "a positive time", "PT2M");
        }
        return new FabricCheck(settings.withPairLimit(limit));
    }

    /** By this installation, which must be at the same place on every node. */
    public FabricCheck installation(MpiInstallation mpi) {
        return new FabricCheck(settings.withInstallation(mpi));
    }

    /** Judged against this envelope; by default that of the cluster's description and size, or the article's for other nodes. */
    public FabricCheck envelope(FabricEnvelope envelope) {
        return new FabricCheck(settings.withEnvelope(envelope));
    }

    /** With this rule for outliers; by default {@link OutlierRule#of}. */
    public FabricCheck outliers(OutlierRule rule) {
        return new FabricCheck(settings.withOutliers(rule));
    }

    /** Without the rank on every node that comes first, because that has been proven already. */
    public FabricCheck withoutHostnames() {
        return new FabricCheck(settings.withHostnames(false));
    }

    /** With each row of the first pair handed to this listener as it is measured; that pair gets the full table. */
    public FabricCheck onFirstTable(Consumer<BenchmarkRow> rows) {
        return new FabricCheck(settings.withRows(rows));
    }

    /** With each pair handed to this listener when it is done, one at a time. */
    public FabricCheck onPair(Consumer<PairResult> pairs) {
        return new FabricCheck(settings.withPairs(pairs));
    }

    /** This check on these nodes, ready to run. */
    public Placed on(JobTarget target) {
        FabricEnvelope given = settings.envelope();
        return new Placed(settings, target, given == null ? FabricEnvelope.article() : given);
    }

    /** This check on the nodes of a cluster, ready to run. */
    public Placed on(Cluster cluster) {
        FabricEnvelope given = settings.envelope();
        return new Placed(settings, JobTarget.of(cluster), given == null ? FabricEnvelope.of(cluster.spec()) : given);
    }

    /** A check and the nodes it runs on. Immutable; every run is a new one. */
    public static final class Placed {
        private final Settings settings;
        private final JobTarget target;
        private final FabricEnvelope envelope;

        private Placed(Settings settings, JobTarget target, FabricEnvelope envelope) {
            this.settings = settings;
            this.target = target;
            this.envelope = envelope;
        }

        /** The rounds that a run would have. */
        public PairSchedule schedule() {
            List<NodeName> nodes = target.nodeNames();
            return settings.schedule().apply(nodes);
        }

        /**
         * Runs the check, at most this long and what ending the last jobs takes. A pair that fails is part of the report and stops no
         * other; what there was no time for is reported as not measured.
         *
         * @throws InvalidValueException when there are fewer than two nodes, or a pair names a node that is not there
         * @throws io.clusterwright.mpi.MpiNotFoundException when there is no MPI on the first node
         * @throws io.clusterwright.mpi.JobFailedException when this thread was interrupted; no process of the check is left, and the
         *     interrupt flag is set
         */
        public FabricReport run(Duration limit) {
            if (limit.isZero() || limit.isNegative()) {
                throw new InvalidValueException("time of a check", limit.toString(), "a positive time", "PT10M");
            }
            return new FabricRun(
                            settings,
                            NodeTarget.of(target),
                            envelope,
                            schedule(),
                            Deadline.in("time of the check", limit))
                    .run();
        }
    }

    /** The parts of a check. */
    record Settings(
            String kind,
            Function<List<NodeName>, PairSchedule> schedule,
            int parallel,
            Duration pairLimit,
            @Nullable MpiInstallation installation,
            @Nullable FabricEnvelope envelope,
            @Nullable OutlierRule outliers,
            boolean hostnames,
            @Nullable Consumer<BenchmarkRow> rows,
            Consumer<PairResult> pairs) {

        static Settings of(String kind, Function<List<NodeName>, PairSchedule> schedule) {
            return new Settings(kind, schedule, 0, Duration.ofMinutes(2), null, null, null, true, null, pair -> {});
        }

        Settings withParallel(int number) {
            return new Settings(
                    kind, schedule, number, pairLimit, installation, envelope, outliers, hostnames, rows, pairs);
        }

        Settings withPairLimit(Duration limit) {
            return new Settings(
                    kind, schedule, parallel, limit, installation, envelope, outliers, hostnames, rows, pairs);
        }

        Settings withInstallation(MpiInstallation mpi) {
            return new Settings(kind, schedule, parallel, pairLimit, mpi, envelope, outliers, hostnames, rows, pairs);
        }

        Settings withEnvelope(FabricEnvelope other) {
            return new Settings(
                    kind, schedule, parallel, pairLimit, installation, other, outliers, hostnames, rows, pairs);
        }

        Settings withOutliers(OutlierRule rule) {
            return new Settings(
                    kind, schedule, parallel, pairLimit, installation, envelope, rule, hostnames, rows, pairs);
        }

        Settings withHostnames(boolean wanted) {
            return new Settings(
                    kind, schedule, parallel, pairLimit, installation, envelope, outliers, wanted, rows, pairs);
        }

        Settings withRows(Consumer<BenchmarkRow> listener) {
            return new Settings(
                    kind, schedule, parallel, pairLimit, installation, envelope, outliers, hostnames, listener, pairs);
        }

        Settings withPairs(Consumer<PairResult> listener) {
            return new Settings(
                    kind,
                    schedule,
                    parallel,
                    pairLimit,
                    installation,
                    envelope,
                    outliers,
                    hostnames,
                    rows,
                    Objects.requireNonNull(listener, "listener"));
        }
    }
}
