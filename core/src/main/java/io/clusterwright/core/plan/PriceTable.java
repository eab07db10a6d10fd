package io.clusterwright.core.plan;

import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What machines cost, as the caller knows it. The library knows no prices: they change by region, contract and day.
 *
 * @param currency such as {@code EUR}
 * @param perHour the price of one machine of a size for one hour
 */
public record PriceTable(String currency, Map<VmSize, BigDecimal> perHour) {
    /** Copies the map. */
    public PriceTable {
        Objects.requireNonNull(currency, "currency");
        perHour = Map.copyOf(perHour);
    }

    /** The price of one machine for one hour, where the table has it. */
    public Optional<BigDecimal> of(VmSize size) {
        return Optional.ofNullable(perHour.get(size));
    }
}
