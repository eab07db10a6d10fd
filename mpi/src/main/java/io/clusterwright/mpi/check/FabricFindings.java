package io.clusterwright.mpi.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.check.Outliers.Outlier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every finding about a fabric; one code each. Those of the runs themselves come first. */
final class FabricFindings {
    private final FabricJudge.Facts facts;
    private final Interconnect interconnect;
    private final Set<Finding> all = new LinkedHashSet<>();

    FabricFindings(
            FabricJudge.Facts facts,
            List<Outlier<NodeName>> slowNodes,
            List<Outlier<NodePair>> slowPairs,
            List<NodeName> broken,
            Transport transport) {
        this.facts = facts;
        this.interconnect = facts.interconnect();
        if (facts.hostnames() != null) {
            all.addAll(facts.hostnames().result().findings());
        }
        facts.pairs().forEach(pair -> all.addAll(pair.findings()));
        transport(transport);
        broken.forEach(this::broken);
        facts.pairs().stream()
                .filter(pair -> !pair.measured())
                .filter(pair -> broken.stream().noneMatch(pair.pair()::has))
                .forEach(this::failed);
        slowNodes.forEach(slow ->
                slow("CW-MPI-034", slow, "look at the node's adapter, cable, firmware and load; replace the node"));
        slowPairs.forEach(
                slow -> slow("CW-MPI-035", slow, "measure the pair again; look at the switch between these nodes"));
        oneMachine();
    }

    List<Finding> all() {
        Set<String> suppressed = facts.suppressed();
        return all.stream()
                .filter(finding -> !suppressed.contains(finding.code()))
                .toList();
    }

    private void transport(Transport transport) {
        if (!interconnect.isRdma() || transport.kind() == Transport.Kind.RDMA) {
            return;
        }
        String reason = String.join("; ", transport.judge(interconnect).reasons());
        if (transport.kind() == Transport.Kind.TCP) {
            all.add(
                    new Finding(
                            "CW-MPI-030",
                            Severity.ERROR,
                            "mpi.preset",
                            reason + (transport.evidence().isEmpty() ? "" : ": " + transport.evidence()),
                            "use preset auto; check on the nodes that ibv_devinfo shows an active port and that locked memory is unlimited"));
        } else if (facts.pairs().stream().anyMatch(PairResult::measured)) {
            all.add(new Finding(
                    "CW-MPI-031",
                    Severity.WARNING,
                    "mpi.preset",
                    reason,
                    "run the program with UCX_LOG_LEVEL=info and look for the transport it names"));
        }
    }

    private void broken(NodeName node) {
        String first = facts.pairs().stream()
                .filter(pair -> pair.pair().has(node))
                .map(PairResult::problem)
                .findFirst()
                .orElse("");
        all.add(new Finding(
                "CW-MPI-032",
                Severity.ERROR,
                "",
                "node " + node + " could be measured with no other node, while others could: " + first,
                "look at the node's network, its MPI and its trust in the other nodes; restart or replace the node"));
    }

    private void failed(PairResult pair) {
        all.add(new Finding(
                "CW-MPI-033",
                Severity.ERROR,
                "",
                "pair " + pair.pair() + " could not be measured: " + pair.problem(),
                "see the findings of the run; try a ping-pong between these two nodes by hand"));
    }

    private void slow(String code, Outlier<?> slow, String remedy) {
        all.add(new Finding(code, Severity.WARNING, "", slow.reason(), remedy));
    }

    private void oneMachine() {
        if (facts.oneMachine()) {
            all.add(new Finding(
                    "CW-MPI-036",
                    Severity.INFO,
                    "",
                    "these nodes share one machine, so their times say little about a network: " + facts.parallel()
                            + (facts.parallel() == 1 ? " pair was" : " pairs were")
                            + " measured at a time, and only what is several times slower counts as slow",
                    "nothing to do; on separate machines the times are judged"));
        }
    }
}
