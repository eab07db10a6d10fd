package io.clusterwright.core.internal.rules;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.Facts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cores that the machines of a spec count against quotas. */
public final class QuotaDemand {
    private QuotaDemand() {}

    /**
     * One line for each family of sizes, in the order of {@link PlannedMachines#of}, then the lines of the region: all cores but the cores of
     * spot machines, and theirs. Spot machines count there only. Unknown sizes are left out.
     */
    public static List<QuotaLine> of(ClusterSpec spec, Facts facts) {
        Map<String, int[]> sums = new LinkedHashMap<>();
        Map<String, int[]> region = new LinkedHashMap<>();
        for (PlannedMachines machines : PlannedMachines.of(spec)) {
            facts.sizes().find(machines.size()).ifPresent(known -> {
                if (!machines.spot()) {
                    add(sums, known.quotaFamily().orElse(known.size().name()), known, machines.count());
                }
                add(region, machines.spot() ? QuotaUse.SPOT : QuotaUse.REGION, known, machines.count());
            });
        }
        sums.putAll(region);
        return sums.entrySet().stream()
                .map(line -> line(line.getKey(), line.getValue(), facts))
                .toList();
    }

    /** The burst part, where nodes are added by bursting. */
    public static Optional<HpcPackBurst> burst(ClusterSpec spec) {
        return spec.hpcPack()
                .filter(hpcPack -> hpcPack.scenario() == HpcPackSpec.Scenario.BURST)
                .flatMap(HpcPackSpec::burst);
    }

    private static void add(Map<String, int[]> lines, String name, VmSizeFacts size, int machines) {
        int[] sums = lines.computeIfAbsent(name, key -> new int[3]);
        sums[0] += machines;
        sums[1] += machines * size.vcpus();
        sums[2] += machines * size.billedCores();
    }

    private static QuotaLine line(String name, int[] sums, Facts facts) {
        Optional<QuotaUse> known =
                facts.quota().stream().filter(use -> use.isFor(name)).findFirst();
        return new QuotaLine(name, sums[0], sums[1], sums[2], known);
    }
}
