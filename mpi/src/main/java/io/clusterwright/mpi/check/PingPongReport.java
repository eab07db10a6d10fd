package io.clusterwright.mpi.check;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.PingPongPlot;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a ping-pong between two nodes. Immutable. */
public final class PingPongReport {
    private final JobResult result;
    private final List<NodeName> nodes;
    private final String transport;
    private final @Nullable BenchmarkReport table;
    private final Verdict verdict;
    private final boolean measured;

    PingPongReport(
            JobResult result, NodeTarget pair, @Nullable BenchmarkReport table, Verdict verdict, boolean measured) {
        this.result = result;
        this.nodes = pair.nodeNames();
        this.transport = pair.interconnect().isRdma() ? pair.interconnect().toString() : "TCP";
        this.table = table;
        this.verdict = verdict;
        this.measured = measured;
    }

    /**
     * Whether the benchmark gave its whole table. It may have been ended afterwards for not ending by itself, which is a
     * finding then and no failure.
     */
    public boolean measured() {
        return measured;
    }

    /** The run, with the findings about it and its table. */
    public JobResult result() {
        return result;
    }

    /** The two nodes; the first started the benchmark. */
    public List<NodeName> nodes() {
        return nodes;
    }

    /** The measured table; absent when there is none. */
    public Optional<BenchmarkReport> table() {
        return Optional.ofNullable(table);
    }

    /** The verdict about the table. */
    public Verdict verdict() {
        return verdict;
    }

    /** The table as a picture, entitled with the nodes, the MPI and the network; absent when nothing was measured. */
    public Optional<PingPongPlot> plot() {
        return table().map(report -> PingPongPlot.of(report)
                .title("Ping-pong between " + nodes.get(0) + " and " + nodes.get(1))
                .subtitle(result.mpi() + " over " + transport + ", measured with " + report.tool()));
    }
}
