package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The measurement between two nodes. */
record MeasuredPair(
        NodePair pair,
        int round,
        List<Rail> rails,
        Duration duration,
        Optional<BenchmarkReport> table,
        Optional<Transport> transport,
        String transportProblem,
        Verdict verdict,
        String problem,
        List<Finding> findings)
        implements PairResult {
    private static final long SMALL = 64;
    private static final long COMPARED = 1_048_576;

    static MeasuredPair measured(
            NodePair pair,
            int round,
            Duration duration,
            BenchmarkReport table,
            Verdict verdict,
            List<Finding> findings) {
        return new MeasuredPair(
                pair, round, List.of(), duration, Optional.of(table), Optional.empty(), "", verdict, "", findings);
    }

    static MeasuredPair failed(NodePair pair, int round, Duration duration, String problem, List<Finding> findings) {
        Verdict verdict = new Verdict(Verdict.Status.FAILED, List.of(problem));
        return new MeasuredPair(
                pair, round, List.of(), duration, Optional.empty(), Optional.empty(), "", verdict, problem, findings);
    }

    /** This result as one over a rail with these two ends; none says that the MPI chose. */
    MeasuredPair over(List<Rail> ends) {
        return new MeasuredPair(
                pair, round, ends, duration, table, transport, transportProblem, verdict, problem, findings);
    }

    /** This result with the transport that a separate run reported, and the reason why that run failed if it did. */
    MeasuredPair with(Transport named, String problemOfTheRun, List<Finding> more) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(more);
        return new MeasuredPair(
                pair,
                round,
                rails,
                duration,
                table,
                Optional.of(named),
                problemOfTheRun,
                verdict,
                problem,
                List.copyOf(all));
    }

    @Override
    public OptionalDouble latencyMicros() {
        List<Double> small = table.stream()
                .flatMap(report -> report.rows().stream())
                .filter(row -> row.bytes().orElse(SMALL + 1) <= SMALL)
                .filter(row -> row.latencyMicros().isPresent())
                .map(row -> row.latencyMicros().getAsDouble())
                .toList();
        return small.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Outliers.Sample.of(small).median());
    }

    @Override
    public OptionalDouble bytesPerSecond() {
        return table.stream()
                .flatMap(report -> report.rows().stream())
                .filter(row -> row.bytes().orElse(COMPARED + 1) <= COMPARED)
                .flatMapToDouble(row -> row.typicalBytesPerSecond().stream())
                .filter(rate -> rate > 0)
                .max();
    }

    @Override
    public String toRow() {
        String row = String.format(
                Locale.ROOT,
                "%5d  %-32s %14s %18s",
                round,
                name(this),
                text(latencyMicros(), 1, "%.2f"),
                text(bytesPerSecond(), 1e6, "%.1f"));
        return measured() ? row : row + "  " + problem;
    }

    /** The pair for people, with its rail where it has one. */
    static String name(PairResult result) {
        return result.rails().isEmpty() ? result.pair().toString() : Outliers.name(result.rails());
    }

    private static String text(OptionalDouble value, double unit, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble() / unit) : "-";
    }

    @Override
    public String toString() {
        return name(this) + (measured() ? "" : ": " + problem);
    }
}
