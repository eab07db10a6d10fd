package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.plan.NodeLoss;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NodeGroup.SpotSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.Locale;

/** Machines that can be taken away at any time. */
final class SpotRules {
    /** Assumed, for want of published rates: one machine in twenty is taken within an hour of the upper class of eviction rates. */
    private static final double LOST_PER_HOUR = 0.05;

    private static final int DEFAULT_HOURS = 8;
    private static final double MINUTES = 60;

    private SpotRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-SPOT-001",
                        CLOUD,
                        "an MPI job fails when Azure evicts one of its spot machines",
                        "remove nodes.spot if jobs cannot continue from a checkpoint",
                        SpotRules::likelyLost),
                Rule.warning(
                        "CW-SPOT-002",
                        CLOUD,
                        "the head node is a spot machine: an eviction ends all jobs, the queue and the way in to the other nodes",
                        "write headNode: {size: …}: a head node is never a spot machine",
                        SpotRules::headIsSpot),
                Rule.error(
                        "CW-SPOT-003",
                        CLOUD,
                        "Azure does not sell promotional sizes as spot",
                        "remove nodes.spot, or choose the size without _Promo",
                        SpotRules::promo),
                Rule.info(
                        "CW-SPOT-004",
                        CLOUD,
                        "an evicted machine still counts against the quota, and its disk is billed",
                        "write nodes: {spot: {onEviction: delete}}",
                        SpotRules::deallocated),
                Rule.warning(
                        "CW-SPOT-005",
                        CLOUD,
                        "maxPricePerHour has no effect: nodes.spot.enabled is false",
                        "write nodes: {spot: {enabled: true}}, or remove maxPricePerHour",
                        SpotRules::priceWithoutSpot));
    }

    private static boolean spot(ClusterSpec spec) {
        return spec.nodes().spot().enabled();
    }

    private static void likelyLost(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spot(spec) && spec.nodes().count() > 1) {
            double hours =
                    spec.timeToLive().map(time -> time.toMinutes() / MINUTES).orElse((double) DEFAULT_HOURS);
            double lost = NodeLoss.risk(spec.nodes().count(), hours, -Math.log1p(-LOST_PER_HOUR));
            report.add(
                    "nodes.spot.enabled",
                    String.format(
                            Locale.ROOT,
                            "if Azure evicts %.0f %% of spot machines per hour, at least one of %d is lost within %.1f h with"
                                    + " a probability of %.0f %%, and its MPI job fails",
                            LOST_PER_HOUR * 100,
                            spec.nodes().count(),
                            hours,
                            lost * 100));
        }
    }

    private static void headIsSpot(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spot(spec) && spec.headNode().isEmpty()) {
            report.add(
                    "nodes.spot.enabled",
                    "headNode is missing, so the first node is the head node and a spot machine: an eviction ends all jobs, the"
                            + " queue and the way in to the other nodes");
        }
    }

    private static void promo(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spot(spec)
                && spec.nodes()
                        .size()
                        .filter(size -> size.name().toLowerCase(Locale.ROOT).endsWith("_promo"))
                        .isPresent()) {
            report.add(
                    "nodes.size",
                    spec.nodes().requireSize()
                            + " is a promotional size, and nodes.spot.enabled is true: Azure does not sell promotional sizes as spot");
        }
    }

    private static void deallocated(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spot(spec) && spec.nodes().spot().onEviction() == SpotSpec.Eviction.DEALLOCATE) {
            report.add(
                    "nodes.spot.onEviction",
                    "onEviction is deallocate: an evicted machine still counts against the quota, and its disk is billed");
        }
    }

    private static void priceWithoutSpot(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!spot(spec) && spec.nodes().spot().maxPricePerHour().isPresent()) {
            report.add(
                    "nodes.spot.maxPricePerHour",
                    "maxPricePerHour has no effect: nodes.spot.enabled is false, so nodes are billed in full");
        }
    }
}
