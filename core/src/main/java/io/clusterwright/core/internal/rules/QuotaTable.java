package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the machines of a description count against quotas. */
public final class QuotaTable {
    private QuotaTable() {}

    /** One line for each family of sizes, in the order of nodes, proxies and head node; unknown sizes are left out. */
    public static List<QuotaLine> of(ClusterSpec spec, Facts facts) {
        Map<String, int[]> families = new LinkedHashMap<>();
        int proxies = burst(spec).map(HpcPackBurst::proxyNodes).orElse(0);
        add(families, facts, spec.nodes().size(), spec.nodes().count() + proxies);
        spec.headNode().ifPresent(head -> add(families, facts, head.size(), 1));
        List<QuotaLine> lines = new ArrayList<>();
        families.forEach((family, sums) -> lines.add(new QuotaLine(
                family,
                sums[0],
                sums[1],
                sums[2],
                facts.quota().stream()
                        .filter(use -> plain(use.family()).equals(plain(family)))
                        .findFirst()
                        .orElse(null))));
        return List.copyOf(lines);
    }

    /** The burst part, where nodes are added by bursting. */
    static Optional<HpcPackBurst> burst(ClusterSpec spec) {
        return spec.hpcPack()
                .filter(hpcPack -> hpcPack.scenario() == HpcPackSpec.Scenario.BURST)
                .flatMap(HpcPackSpec::burst);
    }

    private static void add(Map<String, int[]> families, Facts facts, VmSize size, int machines) {
        facts.sizes().find(size).ifPresent(known -> {
            String family = known.quotaFamily().orElse(known.size().name());
            int[] sums = families.computeIfAbsent(family, key -> new int[3]);
            sums[0] += machines;
            sums[1] += machines * known.vcpus();
            sums[2] += machines * known.billedCores();
        });
    }

    /** Azure writes families with blanks in some answers and without in others. */
    private static String plain(String family) {
        return family.replace(" ", "").toLowerCase(Locale.ROOT);
    }
}
