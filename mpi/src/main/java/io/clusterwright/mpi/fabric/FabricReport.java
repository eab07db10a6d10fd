package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.HostnameCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The report of a fabric check. Immutable. */
public interface FabricReport {

    /** The pairs that were measured: {@code pair}, {@code ring}, {@code all-pairs} or {@code pairs}. */
    String kind();

    /** All nodes of the target, in their order. */
    List<NodeName> nodes();

    /** The fast network that the nodes report. */
    Interconnect interconnect();

    /** Whether the nodes share one machine, so that times say little. */
    boolean sharesOneMachine();

    /** The rounds the pairs were measured in. */
    List<List<NodePair>> rounds();

    /** The largest number of pairs that were measured at a time. */
    int parallel();

    /** The limits of each pair where the nodes have an RDMA interconnect. */
    FabricEnvelope envelope();

    /** The run of one rank on every node; absent when it was left out. */
    Optional<HostnameCheck.Report> hostnames();

    /** One result for each pair of each round, in their order; where nodes have several InfiniBand ports, so for each rail. */
    List<PairResult> pairs();

    /** The nodes that are slow in most of their pairs; one that is so in latency and in bandwidth comes twice. */
    List<Outlier<NodeName>> slowNodes();

    /** The pairs that are slow though neither of their nodes is. */
    List<Outlier<NodePair>> slowPairs();

    /** The nodes none of whose pairs could be measured, while others could. */
    List<NodeName> brokenNodes();

    /** The ends of rails that are slow in most of their pairs, where nodes have several InfiniBand ports; then no node is slow as such. */
    List<Outlier<Rail>> slowRails();

    /** The ends of rails whose port is missing or not active, or none of whose pairs could be measured, while others could. */
    List<Rail> brokenRails();

    /** The transport MPI used; where pairs differ, the worst of them. */
    Transport transport();

    /**
     * The verdict about the fabric. It fails when a rank on a node did not answer, a pair could not be measured or is outside the envelope,
     * and on nodes with an RDMA interconnect also when MPI fell back to TCP or something is slow beside the others. There it is no
     * pass either when the run that asks MPI for its transport failed; wherever it did, a reason says so.
     */
    Verdict verdict();

    /** Whether the verdict is good, or there is nothing to judge because the nodes have no RDMA interconnect. */
    default boolean succeeded() {
        return verdict().succeeded()
                || verdict().status() == Verdict.Status.NOT_JUDGED
                        && !interconnect().isRdma();
    }

    /** The findings about it: of the runs, the transport, the slow and the broken. */
    List<Finding> findings();

    /** The start of the check. */
    Instant start();

    /** The duration of the whole check. */
    Duration duration();

    /** The pairs as a table for a terminal: a line with titles and one {@link PairResult#toRow()} each, ended by line breaks. */
    String toTable();

    /** The report as the maps and lists that any JSON library writes. */
    Map<String, Object> toJson();

    /** The report as JUnit XML: one test case for each check and each pair. */
    String toJunitXml();

    /** The pairs as an SVG heat map of latency and bandwidth. */
    String toSvg();

    /**
     * One node's end of a rail: its port of the InfiniBand adapter that is connected with the adapters of the same number on other nodes.
     *
     * @param node the node
     * @param number from 1, in the order of PCI addresses and names
     * @param device the device and its port, such as {@code mlx5_ib2:1}, whose name may differ between nodes; {@code none} where the node has
     *     fewer devices than the others
     */
    record Rail(NodeName node, int number, String device) {
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
    record Outlier<T>(T what, String reason, double factor) {}
}
