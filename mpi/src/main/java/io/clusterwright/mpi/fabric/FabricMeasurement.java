package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The measurements of one run of a check.
 *
 * @param parallel the largest number of pairs that were measured at a time
 * @param deadRails the rails that are known to be broken without a measurement, with the reason
 */
record FabricMeasurement(
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
    FabricMeasurement {
        pairs = List.copyOf(pairs);
    }

    /**
     * The nodes of a target.
     *
     * @param suppressed the codes of findings that the report leaves out
     */
    record Nodes(List<NodeName> names, Interconnect interconnect, boolean sharesOneMachine, Set<String> suppressed) {
        static Nodes of(LaunchTarget target) {
            return new Nodes(
                    List.copyOf(target.nodeNames()),
                    target.interconnect(),
                    target.sharesOneMachine(),
                    Set.copyOf(target.suppressed()));
        }
    }
}
