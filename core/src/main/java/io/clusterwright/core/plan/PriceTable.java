package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec.CostCap;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Prices of machines, as the caller states them. The library knows no prices: they change by region, contract and day.
 *
 * @param currency three capital letters, such as {@code EUR}
 * @param perHour the price of one machine of a size for one hour, 0 or more
 */
public record PriceTable(String currency, Map<VmSize, BigDecimal> perHour) {
    /**
     * Checks the values and copies the map.
     *
     * @throws InvalidValueException when the currency is not as described, or a price is below 0
     */
    public PriceTable {
        currency = new CostCap(currency, BigDecimal.ONE).currency();
        perHour = Map.copyOf(perHour);
        perHour.forEach((size, price) -> {
            if (price.signum() < 0) {
                throw new InvalidValueException("price of " + size, price.toPlainString(), "0 or more", "3.60");
            }
        });
    }

    /**
     * Reads a table from YAML or JSON, such as {@code {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}}.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException when the file cannot be read, or with everything wrong with it
     */
    public static PriceTable read(Path file) {
        return PriceTableReader.read(file);
    }

    /** The price of one machine for one hour, where the table has it. */
    public Optional<BigDecimal> of(VmSize size) {
        return Optional.ofNullable(perHour.get(size));
    }
}
