package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.check.FabricReport.Outlier;
import io.clusterwright.mpi.check.NodePair;
import io.clusterwright.mpi.check.PairResult;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The findings about a fabric. Those of the runs themselves come first. */
final class FabricFindings {
    private final FabricJudge.Facts facts;
    private final Set<Finding> all = new LinkedHashSet<>();

    FabricFindings(
            FabricJudge.Facts facts,
            List<Outlier<NodeName>> slowNodes,
            List<Outlier<NodePair>> slowPairs,
            List<NodeName> broken,
            Transport transport) {
        this.facts = facts;
        facts.hostnames().ifPresent(report -> all.addAll(report.result().findings()));
        facts.pairs().forEach(pair -> all.addAll(pair.findings()));
        transport(transport);
        broken.forEach(this::broken);
        facts.pairs().stream()
                .filter(pair -> !pair.measured())
                .filter(pair -> broken.stream().noneMatch(pair.pair()::has))
                .forEach(pair -> all.add(MpiFinding.BROKEN_PAIR.of(pair.pair(), pair.problem())));
        slowNodes.forEach(slow -> all.add(MpiFinding.SLOW_NODE.of(slow.reason())));
        slowPairs.forEach(slow -> all.add(MpiFinding.SLOW_PAIR.of(slow.reason())));
        if (facts.oneMachine()) {
            all.add(MpiFinding.ONE_MACHINE.of(facts.parallel() + (facts.parallel() == 1 ? " pair was" : " pairs were")));
        }
    }

    List<Finding> all() {
        return all.stream()
                .filter(finding -> !facts.suppressed().contains(finding.code()))
                .toList();
    }

    private void transport(Transport transport) {
        if (!facts.interconnect().isRdma() || transport.kind() == Transport.Kind.RDMA) {
            return;
        }
        String reason = String.join("; ", transport.judge(facts.interconnect()).reasons());
        if (transport.kind() == Transport.Kind.TCP) {
            String evidence = transport.evidence().isEmpty() ? "" : ": " + transport.evidence();
            all.add(MpiFinding.FELL_BACK_TO_TCP.at("mpi.preset", reason + evidence));
        } else if (facts.pairs().stream().anyMatch(PairResult::measured)) {
            all.add(MpiFinding.TRANSPORT_UNKNOWN.at("mpi.preset", reason));
        }
    }

    private void broken(NodeName node) {
        String first = facts.pairs().stream()
                .filter(pair -> pair.pair().has(node))
                .map(PairResult::problem)
                .findFirst()
                .orElse("");
        all.add(MpiFinding.BROKEN_NODE.of(node, first));
    }
}
