package io.clusterwright.mpi.fabric;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of a fabric check. Each method changes a copy, which is not changed afterwards. */
final class FabricSettings implements FabricCheck {
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

    /** A check of all nodes in a ring. */
    public FabricSettings(LaunchTarget target, FabricEnvelope envelope) {
        this.target = target;
        this.envelope = envelope;
    }

    @Override
    public FabricCheck ring() {
        return schedule("ring", PairSchedule::ring);
    }

    @Override
    public FabricCheck allPairs() {
        return schedule("all-pairs", PairSchedule::allPairs);
    }

    @Override
    public FabricCheck firstPair() {
        return schedule("pair", PairSchedule::firstPair);
    }

    @Override
    public FabricCheck pairs(List<NodePair> some) {
        PairSchedule fixed = PairSchedule.of(some);
        return schedule("pairs", nodes -> fixed);
    }

    private FabricCheck schedule(String name, Function<List<NodeName>, PairSchedule> rounds) {
        return with(copy -> {
            copy.kind = name;
            copy.schedule = rounds;
        });
    }

    @Override
    public FabricCheck parallel(int most) {
        if (most < 1) {
            throw new InvalidValueException("number of pairs at a time", Integer.toString(most), "1 or more", "4");
        }
        return with(copy -> copy.parallel = most);
    }

    @Override
    public FabricCheck pairLimit(Duration limit) {
        requirePositive("time of a pair", limit, "PT2M");
        return with(copy -> copy.pairLimit = limit);
    }

    @Override
    public FabricCheck installation(MpiInstallation mpi) {
        return with(copy -> copy.installation = mpi);
    }

    @Override
    public FabricCheck envelope(FabricEnvelope limits) {
        return with(copy -> copy.envelope = limits);
    }

    @Override
    public FabricCheck withoutHostnames() {
        return with(copy -> copy.hostnames = false);
    }

    @Override
    public FabricCheck onFirstTable(Consumer<BenchmarkRow> listener) {
        return with(copy -> copy.rows = listener);
    }

    @Override
    public FabricCheck onPair(Consumer<PairResult> listener) {
        Objects.requireNonNull(listener, "listener");
        return with(copy -> copy.pairs = listener);
    }

    @Override
    public FabricReport run(Duration limit) {
        requirePositive("time of a check", limit, "PT10M");
        return new FabricRun(this, Deadline.in("time of the check", limit)).run();
    }

    private FabricCheck with(Consumer<FabricSettings> change) {
        FabricSettings copy = new FabricSettings(target, envelope);
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
            throw new InvalidValueException(what, limit.toString(), "a positive time", example);
        }
    }
}
