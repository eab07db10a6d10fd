package io.clusterwright.core.catalog;

/**
 * A quota of a subscription as it is now.
 *
 * @param family the family of sizes it is for, such as {@code standardHBrsv2Family}
 * @param usedCores cores of the family in use
 * @param limitCores cores of the family there may be
 */
public record QuotaUse(String family, int usedCores, int limitCores) {}
