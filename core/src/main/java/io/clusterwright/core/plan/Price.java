package io.clusterwright.core.plan;

import io.clusterwright.core.spec.CostCap;
import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;

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
