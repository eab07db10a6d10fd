package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Judgement;
import io.clusterwright.mpi.fabric.FabricReport.Judgement.Slow;
import io.clusterwright.mpi.fabric.FabricReport.Measurement;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.fabric.Outliers.Quantity;
import io.clusterwright.mpi.fabric.Outliers.Sample;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Turns what was measured into a report: the slow, the broken, the transport, the verdict and what to do. */
final class FabricJudge {
    private final Measurement run;
    private final Interconnect interconnect;
    private final List<PairResult> pairs;

    private FabricJudge(Measurement run) {
        this.run = run;
        this.interconnect = run.nodes().interconnect();
        this.pairs = run.pairs();
    }

    static FabricReport report(Measurement run) {
        return new FabricJudge(run).report();
    }

    private FabricReport report() {
        List<Outlier<NodeName>> slowNodes = new ArrayList<>();
        List<Outlier<NodePair>> slowPairs = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            Outliers<NodeName, NodePair> found = Outliers.of(values(quantity), quantity, run.outliers());
            slowNodes.addAll(found.nodes());
            slowPairs.addAll(found.pairs());
        }
        slowPairs.removeIf(
                slow -> slowNodes.stream().anyMatch(node -> slow.what().has(node.what())));
        List<Outlier<Rail>> slowRails = new ArrayList<>();
        slowPairs.addAll(slowRails(slowNodes, slowPairs, slowRails));
        List<NodeName> broken = brokenNodes();
        Map<Rail, String> dead = deadRails(broken);
        Transport transport = Transport.worst(
                pairs.stream().flatMap(pair -> pair.transport().stream()).toList());
        Slow slow = new Slow(List.copyOf(slowNodes), List.copyOf(slowPairs), List.copyOf(slowRails));
        Verdict verdict = verdict(transport, slow, broken, dead);
        return new FabricReport(
                run, new Judgement(slow, broken, dead, transport, verdict, findings(slow, broken, dead, transport)));
    }

    /** A value for each pair: over several rails the median, which one rail does not shift. */
    private Map<NodePair, Double> values(Quantity quantity) {
        Map<NodePair, List<Double>> all = new LinkedHashMap<>();
        for (PairResult pair : pairs) {
            value(pair, quantity)
                    .ifPresent(value -> all.computeIfAbsent(pair.pair(), key -> new ArrayList<>())
                            .add(quantity.shown(value)));
        }
        Map<NodePair, Double> values = new LinkedHashMap<>();
        all.forEach((pair, rails) -> values.put(pair, Sample.of(rails).median()));
        return values;
    }

    private static OptionalDouble value(PairResult pair, Quantity quantity) {
        return quantity == Quantity.LATENCY ? pair.latencyMicros() : pair.bytesPerSecond();
    }

    /** Finds slow ends of rails, and the pairs that are slow over one rail, where nothing slower as a whole explains them. */
    private List<Outlier<NodePair>> slowRails(
            List<Outlier<NodeName>> slowNodes, List<Outlier<NodePair>> slowPairs, List<Outlier<Rail>> slowRails) {
        List<PairResult> left = pairs.stream()
                .filter(pair -> !pair.rails().isEmpty())
                .filter(pair -> slowNodes.stream().noneMatch(slow -> pair.pair().has(slow.what())))
                .filter(pair -> slowPairs.stream().noneMatch(slow -> slow.what().equals(pair.pair())))
                .toList();
        List<Outlier<List<Rail>>> found = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            Map<List<Rail>, Double> values = new LinkedHashMap<>();
            left.forEach(
                    pair -> value(pair, quantity).ifPresent(value -> values.put(pair.rails(), quantity.shown(value))));
            Outliers<Rail, List<Rail>> outliers = Outliers.ofRails(values, quantity, run.outliers());
            slowRails.addAll(outliers.nodes());
            found.addAll(outliers.pairs());
        }
        return found.stream()
                .filter(slow -> slowRails.stream().noneMatch(end -> slow.what().contains(end.what())))
                .map(slow -> new Outlier<>(
                        new NodePair(
                                slow.what().get(0).node(), slow.what().get(1).node()),
                        slow.reason(),
                        slow.factor()))
                .toList();
    }

    /** The ends of rails that are known to be dead, and the ends of which no pair could be measured, at least two, while others could. */
    private Map<Rail, String> deadRails(List<NodeName> broken) {
        Map<Rail, String> dead = new LinkedHashMap<>(run.deadRails());
        Map<Rail, List<PairResult>> own = new LinkedHashMap<>();
        pairs.stream()
                .filter(pair -> pair.rails().stream().noneMatch(dead::containsKey))
                .forEach(pair -> pair.rails()
                        .forEach(end -> own.computeIfAbsent(end, key -> new ArrayList<>())
                                .add(pair)));
        if (pairs.stream().anyMatch(PairResult::measured)) {
            own.forEach((end, results) -> {
                if (results.size() > 1
                        && !broken.contains(end.node())
                        && results.stream().noneMatch(PairResult::measured)) {
                    dead.put(end, results.get(0).problem());
                }
            });
        }
        return Collections.unmodifiableMap(dead);
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

    private Verdict verdict(Transport transport, Slow slow, List<NodeName> broken, Map<Rail, String> dead) {
        List<String> bad = new ArrayList<>();
        run.hostnames()
                .filter(hostnames -> !hostnames.succeeded())
                .ifPresent(hostnames -> bad.add(
                        hostnames.silent().isEmpty()
                                ? "the run of one rank on every node failed"
                                : "no rank answered from " + NodeSet.fold(hostnames.silent())));
        broken.forEach(node -> bad.add("every pair with node " + node + " failed"));
        dead.forEach(
                (end, reason) -> bad.add(MpiFinding.BROKEN_RAIL.of(end, reason).message()));
        pairs.stream()
                .filter(pair -> pair.verdict().status() == Verdict.Status.FAILED)
                .filter(pair -> pair.measured() || !isExplained(pair, broken, dead))
                .forEach(pair -> bad.add("pair " + MeasuredPair.name(pair) + ": "
                        + String.join("; ", pair.verdict().reasons())));
        Verdict way = transport.judge(interconnect);
        if (way.status() == Verdict.Status.FAILED) {
            bad.addAll(way.reasons());
        }
        if (interconnect.isRdma()) {
            bad.addAll(slow.reasons());
        }
        if (!bad.isEmpty()) {
            return new Verdict(Verdict.Status.FAILED, bad.stream().distinct().toList());
        }
        return interconnect.isRdma() ? judged(way) : notJudged();
    }

    private static boolean isExplained(PairResult pair, List<NodeName> broken, Map<Rail, String> dead) {
        return broken.stream().anyMatch(pair.pair()::has)
                || pair.rails().stream().anyMatch(dead::containsKey);
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
                .map(pair -> "pair " + MeasuredPair.name(pair) + ": the run that reads MPI's transport failed: "
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
                .forEach(pair -> open.add("pair " + MeasuredPair.name(pair) + ": "
                        + String.join("; ", pair.verdict().reasons())));
        if (!open.isEmpty()) {
            return new Verdict(Verdict.Status.NOT_JUDGED, open);
        }
        List<String> good = new ArrayList<>(way.reasons());
        long all = pairs.stream().map(PairResult::pair).distinct().count();
        long rails = pairs.size() / Math.max(1, all);
        good.add(all + (all == 1 ? " pair is" : " pairs are") + " within the envelope"
                + (rails > 1 ? " over each of " + rails + " rails" : ""));
        return new Verdict(Verdict.Status.PASSED, good);
    }

    /** The findings that are not suppressed; the findings of the runs themselves come first. */
    private List<Finding> findings(Slow slow, List<NodeName> broken, Map<Rail, String> dead, Transport transport) {
        Set<Finding> all = new LinkedHashSet<>();
        run.hostnames().ifPresent(report -> all.addAll(report.result().findings()));
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
                .filter(pair -> !isExplained(pair, broken, dead))
                .forEach(pair -> all.add(MpiFinding.BROKEN_PAIR.of(MeasuredPair.name(pair), pair.problem())));
        dead.forEach((end, reason) -> all.add(MpiFinding.BROKEN_RAIL.of(end, reason)));
        slow.nodes().forEach(node -> all.add(MpiFinding.SLOW_NODE.of(node.reason())));
        slow.pairs().forEach(pair -> all.add(MpiFinding.SLOW_PAIR.of(pair.reason())));
        slow.rails().forEach(rail -> all.add(MpiFinding.SLOW_RAIL.of(rail.reason())));
        if (run.nodes().sharesOneMachine()) {
            all.add(MpiFinding.ONE_MACHINE.of(run.parallel() + (run.parallel() == 1 ? " pair was" : " pairs were")));
        }
        return all.stream()
                .filter(finding -> !run.nodes().suppressed().contains(finding.code()))
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
}
