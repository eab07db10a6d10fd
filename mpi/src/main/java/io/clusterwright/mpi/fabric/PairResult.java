package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The result of the measurement of one pair. Immutable. Use {@link FabricReport} to get it. */
public interface PairResult {

    /** The two nodes; the first started the benchmark. */
    NodePair pair();

    /** The round it was measured in, from 1. */
    int round();

    /**
     * The two ends of the rail that it was measured over, in the order of the nodes; empty where the nodes have one
     * InfiniBand port or none, or
     * the devices are named by the job, and the MPI chose.
     */
    List<FabricReport.Rail> rails();

    /** The duration of the measurement, with the start of the MPI. */
    Duration duration();

    /** Whether the whole table was measured. */
    default boolean measured() {
        return table().isPresent();
    }

    /** The measured table; absent when the pair failed. */
    Optional<BenchmarkReport> table();

    /** The transport MPI used between these two; absent when it was not asked. */
    Optional<Transport> transport();

    /** Why the run that asks MPI for its transport failed, which then proves nothing; empty when it did not fail, or was not made. */
    String transportProblem();

    /** The verdict of the envelope about the table; failed for a pair that could not be measured. */
    Verdict verdict();

    /** Why the pair could not be measured; empty when it was. */
    String problem();

    /** The findings about the runs, with the findings of the diagnosis. */
    List<Finding> findings();

    /** The typical time of a message of up to 64 bytes, one way, in microseconds: the median of these rows. */
    OptionalDouble latencyMicros();

    /** The highest rate of messages of up to 1 MiB, which every pair's table has, in bytes per second. */
    OptionalDouble bytesPerSecond();

    /**
     * A row for a terminal, without a line break: round, nodes with the devices of their rail, latency in us,
     * bandwidth in 10^6 bytes per second, and the problem of a
     * pair that could not be measured; {@code -} stands for what was not measured.
     */
    String toRow();
}
