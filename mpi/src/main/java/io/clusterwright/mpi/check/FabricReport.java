package io.clusterwright.mpi.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.Outliers.Outlier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The report of a fabric check. Immutable. */
public final class FabricReport {
    private final FabricJudge.Facts facts;
    private final List<Outlier<NodeName>> slowNodes;
    private final List<Outlier<NodePair>> slowPairs;
    private final List<NodeName> brokenNodes;
    private final Transport transport;
    private final Verdict verdict;
    private final List<Finding> findings;

    FabricReport(
            FabricJudge.Facts facts,
            List<Outlier<NodeName>> slowNodes,
            List<Outlier<NodePair>> slowPairs,
            List<NodeName> brokenNodes,
            Transport transport,
            Verdict verdict,
            List<Finding> findings) {
        this.facts = facts;
        this.slowNodes = List.copyOf(slowNodes);
        this.slowPairs = List.copyOf(slowPairs);
        this.brokenNodes = List.copyOf(brokenNodes);
        this.transport = transport;
        this.verdict = verdict;
        this.findings = List.copyOf(findings);
    }

    /** The pairs that were measured: {@code pair}, {@code ring}, {@code all-pairs} or {@code pairs}. */
    public String kind() {
        return facts.kind();
    }

    /** All nodes of the target, in their order. */
    public List<NodeName> nodes() {
        return facts.nodes();
    }

    /** The fast network that the nodes report. */
    public Interconnect interconnect() {
        return facts.interconnect();
    }

    /** Whether the nodes share one machine, so that times say little. */
    public boolean sharesOneMachine() {
        return facts.oneMachine();
    }

    /** The rounds the pairs were measured in. */
    public List<List<NodePair>> rounds() {
        return facts.schedule().rounds();
    }

    /** The largest number of pairs that were measured at a time. */
    public int parallel() {
        return facts.parallel();
    }

    /** The limits of each pair where the nodes have an RDMA interconnect. */
    public FabricEnvelope envelope() {
        return facts.envelope();
    }

    /** The rule by which a node or a pair counts as slow. */
    public OutlierRule outlierRule() {
        return facts.outliers();
    }

    /** The run of one rank on every node; absent when it was left out. */
    public Optional<HostnameCheck.Report> hostnames() {
        return Optional.ofNullable(facts.hostnames());
    }

    /** One result for each pair of each round, in their order. */
    public List<PairResult> pairs() {
        return facts.pairs();
    }

    /** The nodes that are slow in most of their pairs; one that is so in latency and in bandwidth comes twice. */
    public List<Outlier<NodeName>> slowNodes() {
        return slowNodes;
    }

    /** The pairs that are slow though neither of their nodes is. */
    public List<Outlier<NodePair>> slowPairs() {
        return slowPairs;
    }

    /** The nodes none of whose pairs could be measured, while others could. */
    public List<NodeName> brokenNodes() {
        return brokenNodes;
    }

    /** The transport MPI used; where pairs differ, the worst of them. */
    public Transport transport() {
        return transport;
    }

    /**
     * The verdict about the fabric. It fails when a rank on a node did not answer, a pair could not be measured or is outside the envelope,
     * and on nodes with an RDMA interconnect also when MPI fell back to TCP or something is slow beside the others. There it is no
     * pass either when the run that asks MPI for its transport failed; wherever it did, a reason says so.
     */
    public Verdict verdict() {
        return verdict;
    }

    /** Whether the verdict is good, or there is nothing to judge because the nodes have no RDMA interconnect. */
    public boolean acceptable() {
        return verdict.passed()
                || verdict.status() == Verdict.Status.NOT_JUDGED
                        && !interconnect().isRdma();
    }

    /** The findings about it: of the runs, the transport, the slow and the broken. */
    public List<Finding> findings() {
        return findings;
    }

    /** The start of the check. */
    public Instant start() {
        return facts.start();
    }

    /** The duration of the whole check. */
    public Duration duration() {
        return facts.duration();
    }

    /** The report as the maps and lists that any JSON library writes. */
    public Map<String, Object> toJson() {
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

    @Override
    public String toString() {
        return kind() + " of " + nodes().size() + " nodes: " + verdict.status().key() + ": "
                + String.join("; ", verdict.reasons());
    }
}
