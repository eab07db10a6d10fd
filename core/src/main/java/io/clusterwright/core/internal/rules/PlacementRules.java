package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;

/** Rules on the placement of nodes on one fabric. */
final class PlacementRules {
    private static final int SCALE_SET_DEFAULT = 100;
    private static final int SCALE_SET_MOST = 300;
    private static final int AVAILABILITY_SET_MOST = 200;

    private PlacementRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-PLACE-001",
                        CLOUD,
                        "the nodes do not fit into one placement, and a fabric needs one placement",
                        "lower nodes.count, or create two clusters: an MPI job cannot span two placements",
                        PlacementRules::tooMany),
                Rule.warning(
                        "CW-PLACE-002",
                        CLOUD,
                        "a scale set of one placement group holds 100 machines unless Azure support raised the limit",
                        "ask Azure support for 300, or write placement: {kind: availability-set} for up to 200",
                        PlacementRules::beyondDefault),
                Rule.error(
                        "CW-PLACE-003",
                        CLOUD,
                        "placement is none, and the nodes need one placement to share a fabric",
                        "write placement: {kind: auto}; a proximity group alone does not connect a fabric",
                        PlacementRules::noPlacement),
                Rule.error(
                        "CW-PLACE-004",
                        CLOUD,
                        "an availability set cannot hold spot machines",
                        "write placement: {kind: scale-set}, or leave spot out",
                        PlacementRules::spotInAvailabilitySet),
                Rule.info(
                        "CW-PLACE-005",
                        CLOUD,
                        "a proximity placement group keeps all machines in one datacenter, and allocation fails if it is full",
                        "if allocation fails, remove placement.proximityGroup: the fabric does not need it",
                        PlacementRules::proximity));
    }

    private static int most(ClusterSpec spec) {
        return switch (spec.placement().kind()) {
            case AVAILABILITY_SET -> AVAILABILITY_SET_MOST;
            case SCALE_SET, AUTO -> SCALE_SET_MOST;
            case NONE -> Integer.MAX_VALUE;
        };
    }

    private static void tooMany(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.fabricWanted(spec, facts) && spec.nodes().count() > most(spec)) {
            report.add(
                    "nodes.count",
                    spec.nodes().count() + " nodes do not fit into one placement: "
                            + spec.placement().kind() + " holds " + most(spec));
        }
    }

    private static void beyondDefault(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean scaleSet = SizeDefaults.placement(spec, facts.sizes()) == Placement.Kind.SCALE_SET;
        int count = spec.nodes().count();
        if (SpecQueries.fabricWanted(spec, facts) && scaleSet && count > SCALE_SET_DEFAULT && count <= SCALE_SET_MOST) {
            report.add(
                    "nodes.count",
                    count + " nodes do not fit into a scale set of one placement group, which holds "
                            + SCALE_SET_DEFAULT + " machines unless Azure support raised the limit");
        }
    }

    private static void noPlacement(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.fabricWanted(spec, facts) && spec.placement().kind() == Placement.Kind.NONE) {
            report.add(
                    "placement.kind",
                    "placement.kind is none, and " + spec.nodes().requireSize()
                            + " needs all nodes in one placement to use its RDMA network");
        }
    }

    private static void spotInAvailabilitySet(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.nodes().spot().enabled() && spec.placement().kind() == Placement.Kind.AVAILABILITY_SET) {
            report.add(
                    "placement.kind",
                    "placement.kind is availability-set, and nodes.spot.enabled is true: an availability set cannot hold"
                            + " spot machines");
        }
    }

    private static void proximity(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.placement().proximityGroup() && SpecQueries.linux(spec)) {
            report.add(
                    "placement.proximityGroup",
                    "all " + SpecQueries.machines(spec)
                            + " machines must be allocated in one datacenter, and allocation fails if it is full");
        }
    }
}
