package io.clusterwright.mpi.check;

import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
import java.util.Optional;

/** The result of a ping-pong between two nodes. Immutable. */
public interface PingPongReport {

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
