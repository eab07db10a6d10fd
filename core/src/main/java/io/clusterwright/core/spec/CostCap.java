package io.clusterwright.core.spec;

import java.math.BigDecimal;

/**
 * The limit of the cost of a cluster. Use it to refuse a plan above a price.
 *
 * @param currency the currency, as three capital letters
 * @param perHour the amount per hour, above 0, with at most 4 decimals
 * @see ClusterSpec
 */
public record CostCap(String currency, BigDecimal perHour) {
    static final Table<CostCap> FIELDS = new Table<>(
                    "costCap", values -> new CostCap(values.get("currency"), values.get("perHour")))
            .required(
                    "currency",
                    SpecCodecs.form("a currency", "EUR", Checks.CURRENCY),
                    CostCap::currency,
                    "give a currency such as EUR")
            .required(
                    "perHour", SpecCodecs.money("cost per hour", "60"), CostCap::perHour, "give an amount such as 60");

    /**
     * Checks the values.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a value is out of its range
     */
    public CostCap {
        currency = Checks.CURRENCY.check(currency);
        perHour = Checks.money("cost per hour", perHour);
    }
}
