package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The report of a fabric check. Immutable. Use {@link FabricCheck} to get it.
 *
 * <pre>{@code
 * FabricReport report = FabricCheck.on(cluster).allPairs().run(Duration.ofMinutes(10));
 * for (PairResult pair : report.pairs()) {
 *     System.out.println(pair.pair() + ": " + pair.latencyMicros() + " us");
 * }
 * System.out.println(report.verdict().status() + ", slow nodes: " + report.slowNodes());
 * }</pre>
 */
public final class FabricReport implements HasJson {
    private final Measurement measured;
    private final Judgement judged;

    FabricReport(Measurement measured, Judgement judged) {
        this.measured = measured;
        this.judged = judged;
    }

    Judgement judgement() {
        return judged;
    }

    Outliers.OutlierRule outlierRule() {
        return measured.outliers();
    }

    /** The pairs that were measured: {@code pair}, {@code ring}, {@code all-pairs} or {@code pairs}. */
    public String kind() {
        return measured.kind();
    }

    /** All nodes of the target, in their order. */
    public List<NodeName> nodes() {
        return measured.nodes().names();
    }

    /** The fast network that the nodes report. */
    public Interconnect interconnect() {
        return measured.nodes().interconnect();
    }

    /** Whether the nodes share one machine, so that times say little. */
    public boolean sharesOneMachine() {
        return measured.nodes().sharesOneMachine();
    }

    /** The rounds the pairs were measured in. */
    public List<List<NodePair>> rounds() {
        return measured.rounds();
    }

    /** The largest number of pairs that were measured at a time. */
    public int parallel() {
        return measured.parallel();
    }

    /** The limits of each pair where the nodes have an RDMA interconnect. */
    public FabricEnvelope envelope() {
        return measured.envelope();
    }

    /** The run of one rank on every node; absent when it was left out. */
    public Optional<HostnameCheck.Report> hostnames() {
        return measured.hostnames();
    }

    /** One result for each pair of each round, in their order; where nodes have several InfiniBand ports, so for each rail. */
    public List<PairResult> pairs() {
        return measured.pairs();
    }

    /** The nodes that are slow in most of their pairs; one that is so in latency and in bandwidth comes twice. */
    public List<Outlier<NodeName>> slowNodes() {
        return judged.slow().nodes();
    }

    /** The pairs that are slow though neither of their nodes is. */
    public List<Outlier<NodePair>> slowPairs() {
        return judged.slow().pairs();
    }

    /** The nodes none of whose pairs could be measured, while others could. */
    public List<NodeName> brokenNodes() {
        return judged.brokenNodes();
    }

    /** The ends of rails that are slow in most of their pairs, where nodes have several InfiniBand ports; then no node is slow as such. */
    public List<Outlier<Rail>> slowRails() {
        return judged.slow().rails();
    }

    /** The ends of rails whose port is missing or not active, or none of whose pairs could be measured, while others could. */
    public List<Rail> brokenRails() {
        return List.copyOf(judged.deadRails().keySet());
    }

    /** The transport MPI used; where pairs differ, the worst of them. */
    public Transport transport() {
        return judged.transport();
    }

    /**
     * The verdict about the fabric. It fails when a rank on a node did not answer, a pair could not be measured or is outside the envelope,
     * and on nodes with an RDMA interconnect also when MPI fell back to TCP or something is slow beside the others. There it is no
     * pass either when the run that asks MPI for its transport failed; wherever it did, a reason says so.
     */
    public Verdict verdict() {
        return judged.verdict();
    }

    /** Whether the verdict is good, or there is nothing to judge because the nodes have no RDMA interconnect. */
    public boolean succeeded() {
        return verdict().succeeded()
                || verdict().status() == Verdict.Status.NOT_JUDGED
                        && !interconnect().isRdma();
    }

    /** The findings about it: of the runs, the transport, the slow and the broken. */
    public List<Finding> findings() {
        return judged.findings();
    }

    /** The start of the check. */
    public Instant start() {
        return measured.start();
    }

    /** The duration of the whole check. */
    public Duration duration() {
        return measured.duration();
    }

    /** The pairs as a table for a terminal: a line with titles and one {@link PairResult#toRow()} each, ended by line breaks. */
    public String toTable() {
        StringBuilder text = new StringBuilder(
                String.format("%5s  %-32s %14s %18s\n", "round", "pair", "latency [us]", "bandwidth [MB/s]"));
        pairs().forEach(pair -> text.append(pair.toRow()).append('\n'));
        judged.badRails().forEach(rail -> text.append(rail).append('\n'));
        return text.toString();
    }

    @Override
    public Map<String, Object> toMap() {
        return FabricJson.of(this);
    }

    /** The report as JUnit XML: one test case for each check and each pair. */
    public String toJunitXml() {
        return FabricJunit.of(this);
    }

    /** The pairs as an SVG heat map of latency and bandwidth. */
    public String toSvg() {
        return HeatMap.of(this);
    }

    /** The report in a line, such as {@code ring of 4 nodes: passed: 4 pairs are within the envelope}. */
    @Override
    public String toString() {
        return kind() + " of " + nodes().size() + " nodes: "
                + verdict().status().key() + ": " + String.join("; ", verdict().reasons());
    }

    /**
     * One node's end of a rail: its port of the InfiniBand adapter that is connected with the adapters of the same number on other nodes.
     *
     * @param node the node
     * @param number from 1, in the order of PCI addresses and names
     * @param device the device and its port, such as {@code mlx5_ib2:1}, whose name may differ between nodes; {@code
     * none} where the node has
     *     fewer devices than the others
     */
    public record Rail(NodeName node, int number, String device) {
        /** The end for people, such as {@code rail 3 (mlx5_ib2:1) of node cluster12}. */
        @Override
        public String toString() {
            return "rail " + number + " (" + device + ") of node " + node;
        }
    }

    /**
     * A node, a pair or a rail that is slow beside the others.
     *
     * @param what the node, the pair or the rail
     * @param reason why, for people, with both numbers
     * @param factor how many times slower it is, more than 1
     * @param <T> {@link io.clusterwright.core.type.NodeName}, {@link NodePair} or {@link Rail}
     */
    public record Outlier<T>(T what, String reason, double factor) {}

    /**
     * The measurements of one run of a check.
     *
     * @param parallel the largest number of pairs that were measured at a time
     * @param deadRails the rails that are known to be broken without a measurement, with the reason
     */
    record Measurement(
            Nodes nodes,
            String kind,
            List<List<NodePair>> rounds,
            int parallel,
            FabricEnvelope envelope,
            OutlierRule outliers,
            Instant start,
            Duration duration,
            Optional<HostnameCheck.Report> hostnames,
            Map<Rail, String> deadRails,
            List<PairResult> pairs) {
        Measurement {
            pairs = List.copyOf(pairs);
        }

        /**
         * The nodes of a target.
         *
         * @param suppressed the codes of findings that the report leaves out
         */
        record Nodes(
                List<NodeName> names, Interconnect interconnect, boolean sharesOneMachine, Set<String> suppressed) {
            static Nodes of(LaunchTarget target) {
                return new Nodes(
                        List.copyOf(target.nodeNames()),
                        target.interconnect(),
                        target.sharesOneMachine(),
                        Set.copyOf(target.suppressed()));
            }
        }
    }

    /**
     * The judgement about a run.
     *
     * @param deadRails the broken ends of rails, with the reason
     */
    record Judgement(
            Slow slow,
            List<NodeName> brokenNodes,
            Map<Rail, String> deadRails,
            Transport transport,
            Verdict verdict,
            List<Finding> findings) {

        /** The rails that are broken or slow, for people. */
        List<String> badRails() {
            return Stream.concat(
                            deadRails.entrySet().stream()
                                    .map(dead -> MpiFinding.BROKEN_RAIL
                                            .of(dead.getKey(), dead.getValue())
                                            .message()),
                            slow.rails.stream().map(Outlier::reason))
                    .toList();
        }

        /** The nodes, the pairs and the rails that are slow beside the others. */
        record Slow(List<Outlier<NodeName>> nodes, List<Outlier<NodePair>> pairs, List<Outlier<Rail>> rails) {
            List<String> reasons() {
                return Stream.of(nodes, pairs, rails)
                        .flatMap(List::stream)
                        .map(Outlier::reason)
                        .toList();
            }
        }
    }
}
