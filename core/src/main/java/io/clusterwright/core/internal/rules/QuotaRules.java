package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;

/** Rules on the cores that a subscription may use. */
final class QuotaRules {
    private static final int NODES_PER_PROXY = 200;

    private QuotaRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-QUOTA-001",
                        CLOUD,
                        "the quota of a size family, of the region or of spot machines is too small",
                        "request more quota in the Azure portal, or lower nodes.count",
                        QuotaRules::exceeded),
                Rule.info(
                        "CW-QUOTA-002",
                        CLOUD,
                        "the proxy nodes of a burst are billed, and count against the quota, like nodes",
                        "request more quota if it is too small for nodes and proxy nodes",
                        QuotaRules::proxiesCount),
                Rule.warning(
                        "CW-QUOTA-003",
                        CLOUD,
                        "a burst needs a proxy node for each 200 nodes, and at least two",
                        "raise hpcPack.burst.proxyNodes",
                        QuotaRules::tooFewProxies));
    }

    private static void exceeded(ClusterSpec spec, Facts facts, Rule.Report report) {
        QuotaDemand.of(spec, facts).stream()
                .filter(QuotaLine::exceeded)
                .forEach(line -> line.use()
                        .ifPresent(use -> report.add(
                                "nodes.count",
                                "the cluster needs " + line.billedCores() + " cores " + counted(line.family()) + "; "
                                        + use.usedCores() + " of " + use.limitCores() + " are in use")));
    }

    private static String counted(String family) {
        return switch (family) {
            case QuotaUse.REGION -> "of all sizes in the region (" + QuotaUse.REGION + ")";
            case QuotaUse.SPOT -> "of spot machines in the region (" + QuotaUse.SPOT + ")";
            default -> "of " + family;
        };
    }

    private static void proxiesCount(ClusterSpec spec, Facts facts, Rule.Report report) {
        QuotaDemand.burst(spec)
                .ifPresent(burst -> facts.size(spec)
                        .ifPresent(size -> report.add(
                                "hpcPack.burst.proxyNodes",
                                spec.nodes().count() + " nodes and " + burst.proxyNodes() + " proxy nodes of "
                                        + size.size() + " are billed and counted as "
                                        + (spec.nodes().count() + burst.proxyNodes()) * size.billedCores()
                                        + " cores")));
    }

    private static void tooFewProxies(ClusterSpec spec, Facts facts, Rule.Report report) {
        QuotaDemand.burst(spec).ifPresent(burst -> {
            int least = (spec.nodes().count() + NODES_PER_PROXY - 1) / NODES_PER_PROXY;
            if (burst.proxyNodes() < least) {
                report.add(
                        "hpcPack.burst.proxyNodes",
                        "proxyNodes is " + burst.proxyNodes() + ", and "
                                + spec.nodes().count() + " nodes need " + least);
            }
        });
    }
}
