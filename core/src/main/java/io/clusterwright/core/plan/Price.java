package io.clusterwright.core.plan;

import java.math.BigDecimal;

/**
 * What a cluster costs while it runs; disks, addresses and traffic are not in it.
 *
 * @param currency such as {@code EUR}
 * @param perHour all machines together, for one hour
 */
public record Price(String currency, BigDecimal perHour) {}
