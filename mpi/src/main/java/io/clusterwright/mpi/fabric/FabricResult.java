package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The facts of a run and the judgement about them. */
record FabricResult(
        String kind,
        List<NodeName> nodes,
        Interconnect interconnect,
        boolean sharesOneMachine,
        Instant start,
        List<List<NodePair>> rounds,
        int parallel,
        FabricEnvelope envelope,
        OutlierRule outlierRule,
        Optional<HostnameCheck.Report> hostnames,
        List<PairResult> pairs,
        Duration duration,
        List<Outlier<NodeName>> slowNodes,
        List<Outlier<NodePair>> slowPairs,
        List<NodeName> brokenNodes,
        List<Outlier<Rail>> slowRails,
        Map<Rail, String> deadRails,
        Transport transport,
        Verdict verdict,
        List<Finding> findings)
        implements FabricReport {

    @Override
    public List<Rail> brokenRails() {
        return List.copyOf(deadRails.keySet());
    }

    /** The rails that are broken or slow, for people. */
    List<String> badRails() {
        return Stream.concat(
                        deadRails.entrySet().stream()
                                .map(dead -> MpiFinding.BROKEN_RAIL
                                        .of(dead.getKey(), dead.getValue())
                                        .message()),
                        slowRails.stream().map(Outlier::reason))
                .toList();
    }

    @Override
    public String toTable() {
        StringBuilder text = new StringBuilder(
                String.format("%5s  %-32s %14s %18s\n", "round", "pair", "latency [us]", "bandwidth [MB/s]"));
        pairs.forEach(pair -> text.append(pair.toRow()).append('\n'));
        badRails().forEach(rail -> text.append(rail).append('\n'));
        return text.toString();
    }

    @Override
    public Map<String, Object> toJson() {
        return FabricJson.of(this);
    }

    @Override
    public String toJunitXml() {
        return FabricJunit.of(this);
    }

    @Override
    public String toSvg() {
        return HeatMap.of(this);
    }

    @Override
    public String toString() {
        return kind + " of " + nodes.size() + " nodes: " + verdict.status().key() + ": "
                + String.join("; ", verdict.reasons());
    }
}
