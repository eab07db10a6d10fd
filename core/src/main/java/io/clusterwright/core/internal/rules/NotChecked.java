package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Price;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The unchecked parts of a plan, for lack of facts. */
public final class NotChecked {
    private NotChecked() {}

    /** The unchecked parts, each with the reason; none on local nodes, which are not billed. */
    public static List<String> of(ClusterSpec spec, Facts facts, List<QuotaLine> quota, Optional<Price> price) {
        List<String> lines = new ArrayList<>();
        if (facts.local()) {
            return lines;
        }
        quota.stream()
                .filter(line -> line.use().isEmpty())
                .forEach(line ->
                        lines.add("quota: " + line.family() + ", because the usage and the limit are not known"));
        SpecQueries.sizes(spec).stream()
                .filter(size -> facts.sizes().find(size).isEmpty())
                .forEach(size ->
                        lines.add("quota: " + size + ", because the catalog does not have it, so no line counts it"));
        if (facts.prices().isEmpty()) {
            lines.add("price: because no price table was given");
        } else if (price.isEmpty()) {
            lines.add("price: because the price table lacks a size");
        }
        return lines;
    }
}
