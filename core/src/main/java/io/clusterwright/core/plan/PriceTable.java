package io.clusterwright.core.plan;

import io.clusterwright.core.spec.CostCap;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * Prices of machines and images, as the caller states them. The library knows no prices: they change by region, contract and
 * day. Use it to plan with prices and quotas of a file.
 *
 * <pre>{@code
 * PriceTable table = Planner.readPrices(prices); // {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}
 * List<QuotaUse> quota = QuotaUse.read(usage); // CSV with the columns family, used and limit
 * Plan plan = Planner.offline().prices(table).quota(quota).plan(spec);
 * plan.price().ifPresent(price -> System.out.println(price.perHour() + " " + price.currency() + " per hour"));
 * }</pre>
 *
 * @param currency three capital letters, such as {@code EUR}
 * @param perHour the price of one machine of a size for one hour, 0 or more
 * @param snapshotPerGibMonth the price of one GiB of a snapshot for one month, as which a cloud bills each copy of a captured image; 0 or
 *     more, empty for unknown
 */
public record PriceTable(String currency, Map<VmSize, BigDecimal> perHour, Optional<BigDecimal> snapshotPerGibMonth) {
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
        snapshotPerGibMonth.filter(price -> price.signum() < 0).ifPresent(price -> {
            throw new InvalidValueException("price of snapshots", price.toPlainString(), "0 or more", "0.05");
        });
    }

    /** Prices of machines alone. */
    public PriceTable(String currency, Map<VmSize, BigDecimal> perHour) {
        this(currency, perHour, Optional.empty());
    }

    /** The price of one machine for one hour, where the table has it. */
    public Optional<BigDecimal> of(VmSize size) {
        return Optional.ofNullable(perHour.get(size));
    }

    /**
     * The price of a running cluster, without disks, addresses and traffic.
     *
     * @param currency such as {@code EUR}
     * @param perHour all machines together, for one hour
     */
    public record Price(String currency, BigDecimal perHour) {
        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when the currency is no three capital letters, or the price below 0
         */
        public Price {
            currency = new CostCap(currency, BigDecimal.ONE).currency();
            if (perHour.signum() < 0) {
                throw new InvalidValueException("price per hour", perHour.toPlainString(), "0 or more", "3.60");
            }
        }
    }
}
