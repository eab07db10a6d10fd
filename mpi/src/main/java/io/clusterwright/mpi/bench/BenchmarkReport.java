package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** One table of a benchmark's output. Immutable. Use {@link Benchmarks} to get it. */
public interface BenchmarkReport {

    /** The format of its output. */
    BenchmarkFormat format();

    /** The tool and its version as it introduced itself, such as {@code Intel(R) MPI Benchmarks 2021.3}. */
    String tool();

    /** The benchmark's name as printed, such as {@code PingPong} or {@code Allreduce}. */
    String benchmark();

    /** The communication pattern of this benchmark. */
    CommunicationPattern traffic();

    /** The number of ranks that took part, where the tool says so or allows only one number. */
    OptionalInt processes();

    /** The number of machines that took part, where the tool names them. */
    default OptionalInt machines() {
        return OptionalInt.empty();
    }

    /** The rows in the order they were printed; may be empty. */
    List<BenchmarkRow> rows();

    /** Rows that were left out because their numbers contradict each other: no measurement, but no reason for trust either. */
    List<BenchmarkRow> contradictory();

    /** The findings about this table, such as a row that was dropped. */
    List<Finding> findings();

    /** The row of a message size. */
    default Optional<BenchmarkRow> row(long bytes) {
        return rows().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() == bytes)
                .findFirst();
    }

    /** The shortest time of any row, in microseconds. */
    default OptionalDouble minLatencyMicros() {
        return rows().stream()
                .flatMapToDouble(row -> row.typicalMicros().stream())
                .min();
    }

    /** The time in microseconds by message size in bytes, for the sizes people compare (0, 1, 8, 64, 512, …) that were measured. */
    default Map<Long, Double> latencyMicrosAt() {
        Set<Long> compared = Set.of(0L, 1L, 8L, 64L, 512L, 1024L, 4096L, 8192L, 65_536L, 1_048_576L, 4_194_304L);
        Map<Long, Double> at = new TreeMap<>();
        for (BenchmarkRow row : rows()) {
            if (compared.contains(row.bytes().orElse(-1))) {
                row.typicalMicros()
                        .ifPresent(micros -> at.putIfAbsent(row.bytes().orElse(-1), micros));
            }
        }
        return at;
    }

    /** The highest rate of any row, in the unit the tool printed. */
    default OptionalDouble peakRate() {
        return rows().stream()
                .flatMapToDouble(row -> {
                    OptionalDouble peak = row.value(Measure.PEAK_RATE);
                    return (peak.orElse(0) > 0 ? peak : row.printedRate()).stream();
                })
                .max();
    }

    /** A line that names the benchmark, the number of processes where it is known, and the tool. */
    default String title() {
        String count = processes().isPresent() ? ", " + processes().getAsInt() + " processes" : "";
        return benchmark() + count + " (" + tool() + ")";
    }

    /**
     * The table for a terminal, each line ended by a line break: the columns that the tool printed, times in us, rates in 10^6 bytes
     * per second whatever unit they were printed in; {@code -} stands for what a row lacks.
     */
    String toTable();

    /** The report with a verdict as the maps and lists that any JSON library writes; what was not printed has no key. */
    Map<String, Object> toMap(Verdict verdict);

    /** Latency and bandwidth over message size as an SVG picture, entitled with the benchmark and the tool. */
    default String toSvg() {
        return toSvg(benchmark(), tool());
    }

    /**
     * Latency and bandwidth over message size as an SVG picture, on logarithmic axes. A message of 0 bytes stands at the left behind a
     * dotted line. The same report always gives the same bytes.
     *
     * @param title such as the two nodes; about 60 characters fit
     * @param subtitle such as the MPI and the transport; about 110 characters fit
     */
    default String toSvg(String title, String subtitle) {
        return toSvg(title, subtitle, List.of());
    }

    /**
     * As {@link #toSvg(String, String)}, with the limits of these rules drawn into the latency of a ping-pong.
     *
     * @param limits the rules that the table was judged by
     */
    String toSvg(String title, String subtitle, List<LatencyEnvelope> limits);

    /** The communication pattern of a benchmark; latency rules apply to {@link #PING_PONG} only. */
    enum CommunicationPattern {
        /** Two ranks answer each other in turn; the time of a row is one way. */
        PING_PONG,
        /** Ranks send to each other at the same time. */
        EXCHANGE,
        /** One rank sends without waiting for each answer. */
        STREAM,
        /** All ranks take part in one operation. */
        COLLECTIVE
    }

    /** A format that is read, named after its tool. */
    enum BenchmarkFormat {
        /** Intel MPI Benchmarks. */
        IMB,
        /** OSU Micro-Benchmarks. */
        OSU,
        /** NetPIPE over MPI. */
        NETPIPE,
        /** Microsoft's {@code mpipingpong}. */
        MPIPINGPONG,
        /** The verbs benchmarks {@code ib_write_bw}, {@code ib_write_lat} and their relatives. */
        PERFTEST,
        /** UCX's benchmark. */
        UCX_PERFTEST,
        /** The collectives of nccl-tests ({@code all_reduce_perf} and its relatives). */
        NCCL;

        /** The name in JSON, such as {@code imb}. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
