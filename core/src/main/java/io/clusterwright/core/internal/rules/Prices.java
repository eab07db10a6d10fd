package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Price;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.util.Optional;

/** The price of the machines of a spec. */
public final class Prices {
    private Prices() {}

    /** The price of all machines for an hour; empty without a price table, or when it lacks one of the sizes. */
    public static Optional<Price> of(ClusterSpec spec, Facts facts) {
        if (spec.nodes().size().isEmpty()) {
            return Optional.empty();
        }
        return facts.prices().flatMap(table -> {
            BigDecimal sum = BigDecimal.ZERO;
            int nodes = spec.nodes().count()
                    + QuotaDemand.burst(spec).map(HpcPackBurst::proxyNodes).orElse(0);
            for (VmSize size : SpecQueries.sizes(spec)) {
                Optional<BigDecimal> one = table.of(size);
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                sum = sum.add(one.get().multiply(BigDecimal.valueOf(nodes)));
                nodes = 1;
            }
            return Optional.of(new Price(table.currency(), sum));
        });
    }
}
