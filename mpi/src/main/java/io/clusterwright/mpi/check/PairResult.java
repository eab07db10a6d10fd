package io.clusterwright.mpi.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.Outliers.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The result of the measurement of one pair. Immutable. */
public final class PairResult {
    private static final long SMALL = 64;
    private static final long COMPARED = 1_048_576;

    private final NodePair pair;
    private final int round;
    private final Duration duration;
    private final @Nullable BenchmarkReport table;
    private final @Nullable Transport transport;
    private final String transportProblem;
    private final Verdict verdict;
    private final String problem;
    private final List<Finding> findings;

    private PairResult(
            NodePair pair,
            int round,
            Duration duration,
            @Nullable BenchmarkReport table,
            @Nullable Transport transport,
            String transportProblem,
            Verdict verdict,
            String problem,
            List<Finding> findings) {
        this.pair = pair;
        this.round = round;
        this.duration = duration;
        this.table = table;
        this.transport = transport;
        this.transportProblem = transportProblem;
        this.verdict = verdict;
        this.problem = problem;
        this.findings = List.copyOf(findings);
    }

    static PairResult measured(
            NodePair pair,
            int round,
            Duration duration,
            BenchmarkReport table,
            Verdict verdict,
            List<Finding> findings) {
        return new PairResult(pair, round, duration, table, null, "", verdict, "", findings);
    }

    static PairResult failed(NodePair pair, int round, Duration duration, String problem, List<Finding> findings) {
        Verdict verdict = new Verdict(Verdict.Status.FAILED, List.of(problem));
        return new PairResult(pair, round, duration, null, null, "", verdict, problem, findings);
    }

    /** This result with the transport that a separate run reported, and the reason why that run failed if it did. */
    PairResult with(Transport told, String problemOfTheRun, List<Finding> more) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(more);
        return new PairResult(pair, round, duration, table, told, problemOfTheRun, verdict, problem, all);
    }

    /** The two nodes; the first started the benchmark. */
    public NodePair pair() {
        return pair;
    }

    /** The round it was measured in, from 1. */
    public int round() {
        return round;
    }

    /** The duration of the measurement, with the start of the MPI. */
    public Duration duration() {
        return duration;
    }

    /** Whether the whole table was measured. */
    public boolean measured() {
        return table != null;
    }

    /** The measured table; absent when the pair failed. */
    public Optional<BenchmarkReport> table() {
        return Optional.ofNullable(table);
    }

    /** The transport MPI used between these two; absent when it was not asked. */
    public Optional<Transport> transport() {
        return Optional.ofNullable(transport);
    }

    /** Why the run that asks MPI for its transport failed, which then proves nothing; empty when it did not fail, or was not made. */
    public String transportProblem() {
        return transportProblem;
    }

    /** The verdict of the envelope about the table; failed for a pair that could not be measured. */
    public Verdict verdict() {
        return verdict;
    }

    /** Why the pair could not be measured; empty when it was. */
    public String problem() {
        return problem;
    }

    /** The findings about the runs, with those of the diagnosis. */
    public List<Finding> findings() {
        return findings;
    }

    /** The typical time of a message of up to 64 bytes, one way, in microseconds: the median of these rows. */
    public OptionalDouble latencyMicros() {
        if (table == null) {
            return OptionalDouble.empty();
        }
        List<Double> small = table.rows().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() <= SMALL)
                .filter(row -> row.latencyMicros().isPresent())
                .map(row -> row.latencyMicros().getAsDouble())
                .toList();
        return small.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Sample.of(small).median());
    }

    /** The highest rate of messages of up to 1 MiB, which every pair's table has, in bytes per second. */
    public OptionalDouble bytesPerSecond() {
        return table == null
                ? OptionalDouble.empty()
                : table.rows().stream()
                        .filter(row -> row.bytes().orElse(COMPARED + 1) <= COMPARED)
                        .mapToDouble(PairResult::rate)
                        .filter(rate -> rate > 0)
                        .max();
    }

    /** The rate of a row; from its time where the benchmark prints no rate; 0 where neither is known. */
    static double rate(BenchmarkRow row) {
        double micros = row.latencyMicros().orElse(0);
        return row.bytesPerSecond().orElse(micros > 0 ? row.bytes().orElse(0) / micros * 1e6 : 0);
    }

    @Override
    public String toString() {
        return pair + (measured() ? "" : ": " + problem);
    }
}
