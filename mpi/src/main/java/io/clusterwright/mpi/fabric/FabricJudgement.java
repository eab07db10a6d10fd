package io.clusterwright.mpi.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The judgement about a run.
 *
 * @param deadRails the broken ends of rails, with the reason
 */
record FabricJudgement(
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
