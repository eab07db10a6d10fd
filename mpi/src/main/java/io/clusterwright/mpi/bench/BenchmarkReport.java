package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One table of a benchmark's output. Immutable. */
public final class BenchmarkReport {
    private final BenchmarkFormat format;
    private final String tool;
    private final String benchmark;
    private final CommunicationPattern traffic;
    private final int processes;
    private final List<BenchmarkRow> rows;
    private final List<BenchmarkRow> contradictory;
    private final List<Finding> findings;

    /** Creates the report of one parsed table. */
    public BenchmarkReport(
            BenchmarkFormat format,
            String tool,
            String benchmark,
            CommunicationPattern traffic,
            OptionalInt processes,
            List<BenchmarkRow> rows,
            List<BenchmarkRow> contradictory,
            List<Finding> findings) {
        this.format = format;
        this.tool = tool;
        this.benchmark = benchmark;
        this.traffic = traffic;
        this.processes = processes.orElse(0);
        this.rows = List.copyOf(rows);
        this.contradictory = List.copyOf(contradictory);
        this.findings = List.copyOf(findings);
    }

    /** The tool that printed it. */
    public BenchmarkFormat format() {
        return format;
    }

    /** The tool and its version as it introduced itself, such as {@code Intel(R) MPI Benchmarks 2021.3}. */
    public String tool() {
        return tool;
    }

    /** The benchmark's name as printed, such as {@code PingPong} or {@code Allreduce}. */
    public String benchmark() {
        return benchmark;
    }

    /** The communication pattern of this benchmark. */
    public CommunicationPattern traffic() {
        return traffic;
    }

    /** The number of ranks that took part, where the tool says so or allows only one number. */
    public OptionalInt processes() {
        return processes == 0 ? OptionalInt.empty() : OptionalInt.of(processes);
    }

    /** The rows in the order they were printed; may be empty. */
    public List<BenchmarkRow> rows() {
        return rows;
    }

    /** Rows that were left out because their numbers contradict each other: no measurement, but no reason for trust either. */
    public List<BenchmarkRow> contradictory() {
        return contradictory;
    }

    /** The row of a message size. */
    public Optional<BenchmarkRow> row(long bytes) {
        return rows.stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() == bytes)
                .findFirst();
    }

    /** The findings about this table, such as a row that was dropped. */
    public List<Finding> findings() {
        return findings;
    }

    /** The table in three figures. */
    public BenchmarkSummary summary() {
        return BenchmarkSummary.of(rows);
    }

    @Override
    public String toString() {
        return tool + " " + benchmark + ", " + rows.size() + " rows";
    }

    /** The communication pattern of a benchmark; latency rules apply to {@link #PING_PONG} only. */
    public enum CommunicationPattern {
        /** Two ranks answer each other in turn; the time of a row is one way. */
        PING_PONG,
        /** Ranks send to each other at the same time. */
        EXCHANGE,
        /** One rank sends without waiting for each answer. */
        STREAM,
        /** All ranks take part in one operation. */
        COLLECTIVE
    }

    /** The tool whose output was read. */
    public enum BenchmarkFormat {
        /** Intel MPI Benchmarks. */
        IMB("imb"),
        /** OSU Micro-Benchmarks. */
        OSU("osu"),
        /** NetPIPE over MPI. */
        NETPIPE("netpipe"),
        /** Microsoft's {@code mpipingpong}. */
        MPIPINGPONG("mpipingpong"),
        /** The verbs benchmarks {@code ib_write_bw}, {@code ib_write_lat} and their kin. */
        PERFTEST("perftest"),
        /** UCX's own benchmark. */
        UCX_PERFTEST("ucx_perftest");

        private final String key;

        BenchmarkFormat(String key) {
            this.key = key;
        }

        /** The name in JSON, such as {@code imb}. */
        public String key() {
            return key;
        }
    }
}
