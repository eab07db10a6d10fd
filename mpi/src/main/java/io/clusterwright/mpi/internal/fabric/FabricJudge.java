package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.FabricEnvelope;
import io.clusterwright.mpi.check.FabricReport;
import io.clusterwright.mpi.check.FabricReport.Outlier;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.NodePair;
import io.clusterwright.mpi.check.PairResult;
import io.clusterwright.mpi.internal.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.internal.fabric.Outliers.Quantity;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** Turns what was measured into a report: the slow, the broken, the transport, the verdict and what to do. */
final class FabricJudge {
    private final Facts facts;
    private final Interconnect interconnect;
    private final List<PairResult> pairs;

    private FabricJudge(Facts facts) {
        this.facts = facts;
        this.interconnect = facts.interconnect();
        this.pairs = facts.pairs();
    }

    static FabricReport report(Facts facts) {
        return new FabricJudge(facts).report();
    }

    private FabricReport report() {
        Outliers latency = outliers(PairResult::latencyMicros, Quantity.LATENCY);
        Outliers bandwidth = outliers(PairResult::bytesPerSecond, Quantity.BANDWIDTH);
        List<Outlier<NodeName>> slowNodes = new ArrayList<>(latency.nodes());
        slowNodes.addAll(bandwidth.nodes());
        List<Outlier<NodePair>> slowPairs = new ArrayList<>(latency.pairs());
        slowPairs.addAll(bandwidth.pairs());
        slowPairs.removeIf(
                slow -> slowNodes.stream().anyMatch(node -> slow.what().has(node.what())));
        List<NodeName> broken = brokenNodes();
        Transport transport = Transport.worst(
                pairs.stream().flatMap(pair -> pair.transport().stream()).toList());
        Verdict verdict = verdict(transport, slowNodes, slowPairs, broken);
        return new FabricResult(
                facts.kind,
                facts.nodes,
                interconnect,
                facts.oneMachine,
                facts.start,
                facts.rounds,
                facts.parallel,
                facts.envelope,
                facts.outliers,
                facts.hostnames,
                pairs,
                facts.duration,
                List.copyOf(slowNodes),
                List.copyOf(slowPairs),
                broken,
                transport,
                verdict,
                findings(slowNodes, slowPairs, broken, transport));
    }

    private Outliers outliers(Function<PairResult, OptionalDouble> quantity, Quantity kind) {
        Map<NodePair, Double> values = new LinkedHashMap<>();
        for (PairResult pair : pairs) {
            quantity.apply(pair).ifPresent(value -> values.put(pair.pair(), kind.shown(value)));
        }
        return Outliers.of(values, kind, facts.outliers());
    }

    /** Nodes none of whose pairs could be measured, at least two, while others could. */
    private List<NodeName> brokenNodes() {
        Set<NodeName> names = new LinkedHashSet<>();
        pairs.forEach(pair -> names.addAll(pair.pair().nodes()));
        if (pairs.stream().noneMatch(PairResult::measured)) {
            return List.of();
        }
        return names.stream()
                .filter(node -> {
                    List<PairResult> own =
                            pairs.stream().filter(pair -> pair.pair().has(node)).toList();
                    return own.size() > 1 && own.stream().noneMatch(PairResult::measured);
                })
                .toList();
    }

    private Verdict verdict(
            Transport transport,
            List<Outlier<NodeName>> slowNodes,
            List<Outlier<NodePair>> slowPairs,
            List<NodeName> broken) {
        List<String> bad = new ArrayList<>();
        facts.hostnames()
                .filter(hostnames -> !hostnames.passed())
                .ifPresent(hostnames -> bad.add(
                        hostnames.silent().isEmpty()
                                ? "the run of one rank on every node did not go well"
                                : "no rank answered from " + NodeSet.fold(hostnames.silent())));
        broken.forEach(node -> bad.add("node " + node + " could be measured with no other node"));
        pairs.stream()
                .filter(pair -> pair.verdict().status() == Verdict.Status.FAILED)
                .filter(pair -> pair.measured() || broken.stream().noneMatch(pair.pair()::has))
                .forEach(pair -> bad.add("pair " + pair.pair() + ": "
                        + String.join("; ", pair.verdict().reasons())));
        Verdict way = transport.judge(interconnect);
        if (way.status() == Verdict.Status.FAILED) {
            bad.addAll(way.reasons());
        }
        if (interconnect.isRdma()) {
            slowNodes.forEach(slow -> bad.add(slow.reason()));
            slowPairs.forEach(slow -> bad.add(slow.reason()));
        }
        if (!bad.isEmpty()) {
            return new Verdict(Verdict.Status.FAILED, bad.stream().distinct().toList());
        }
        return interconnect.isRdma() ? judged(way) : notJudged();
    }

    private Verdict notJudged() {
        List<String> reasons = new ArrayList<>(List.of(LatencyEnvelope.NO_RDMA));
        reasons.addAll(transportProblems(pairs));
        return new Verdict(Verdict.Status.NOT_JUDGED, reasons);
    }

    /** A transport that MPI named in a run that then failed has carried nothing there. */
    static List<String> transportProblems(List<PairResult> pairs) {
        return pairs.stream()
                .filter(pair -> !pair.transportProblem().isEmpty())
                .map(pair -> "pair " + pair.pair() + ": the run that asks MPI for its transport failed: "
                        + pair.transportProblem())
                .toList();
    }

    private Verdict judged(Verdict way) {
        List<String> open = new ArrayList<>();
        if (way.status() == Verdict.Status.NOT_JUDGED) {
            open.addAll(way.reasons());
        }
        open.addAll(transportProblems(pairs));
        pairs.stream()
                .filter(pair -> pair.verdict().status() == Verdict.Status.NOT_JUDGED)
                .forEach(pair -> open.add("pair " + pair.pair() + ": "
                        + String.join("; ", pair.verdict().reasons())));
        if (!open.isEmpty()) {
            return new Verdict(Verdict.Status.NOT_JUDGED, open);
        }
        List<String> good = new ArrayList<>(way.reasons());
        good.add(pairs.size() + (pairs.size() == 1 ? " pair is" : " pairs are") + " within the envelope");
        return new Verdict(Verdict.Status.PASSED, good);
    }

    /** The findings that are not suppressed; those of the runs themselves come first. */
    private List<Finding> findings(
            List<Outlier<NodeName>> slowNodes,
            List<Outlier<NodePair>> slowPairs,
            List<NodeName> broken,
            Transport transport) {
        Set<Finding> all = new LinkedHashSet<>();
        facts.hostnames().ifPresent(report -> all.addAll(report.result().findings()));
        pairs.forEach(pair -> all.addAll(pair.findings()));
        transportFinding(transport).ifPresent(all::add);
        broken.forEach(node -> all.add(MpiFinding.BROKEN_NODE.of(
                node,
                pairs.stream()
                        .filter(pair -> pair.pair().has(node))
                        .map(PairResult::problem)
                        .findFirst()
                        .orElse(""))));
        pairs.stream()
                .filter(pair -> !pair.measured())
                .filter(pair -> broken.stream().noneMatch(pair.pair()::has))
                .forEach(pair -> all.add(MpiFinding.BROKEN_PAIR.of(pair.pair(), pair.problem())));
        slowNodes.forEach(slow -> all.add(MpiFinding.SLOW_NODE.of(slow.reason())));
        slowPairs.forEach(slow -> all.add(MpiFinding.SLOW_PAIR.of(slow.reason())));
        if (facts.oneMachine()) {
            all.add(MpiFinding.ONE_MACHINE.of(
                    facts.parallel() + (facts.parallel() == 1 ? " pair was" : " pairs were")));
        }
        return all.stream()
                .filter(finding -> !facts.suppressed().contains(finding.code()))
                .toList();
    }

    private Optional<Finding> transportFinding(Transport transport) {
        if (!interconnect.isRdma() || transport.kind() == Transport.Kind.RDMA) {
            return Optional.empty();
        }
        String reason = String.join("; ", transport.judge(interconnect).reasons());
        if (transport.kind() == Transport.Kind.TCP) {
            String evidence = transport.evidence().isEmpty() ? "" : ": " + transport.evidence();
            return Optional.of(MpiFinding.FELL_BACK_TO_TCP.at("mpi.preset", reason + evidence));
        }
        return pairs.stream().anyMatch(PairResult::measured)
                ? Optional.of(MpiFinding.TRANSPORT_UNKNOWN.at("mpi.preset", reason))
                : Optional.empty();
    }

    /** The measurements and facts of a run. */
    record Facts(
            String kind,
            List<NodeName> nodes,
            Interconnect interconnect,
            boolean oneMachine,
            Set<String> suppressed,
            Instant start,
            List<List<NodePair>> rounds,
            int parallel,
            FabricEnvelope envelope,
            OutlierRule outliers,
            Optional<HostnameCheck.Report> hostnames,
            List<PairResult> pairs,
            Duration duration) {
        Facts {
            nodes = List.copyOf(nodes);
            suppressed = Set.copyOf(suppressed);
            pairs = List.copyOf(pairs);
        }
    }
}
