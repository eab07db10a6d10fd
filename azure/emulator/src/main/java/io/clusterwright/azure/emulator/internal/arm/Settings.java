package io.clusterwright.azure.emulator.internal.arm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How this cloud is set up.
 *
 * @param subscription the id of the subscription
 * @param regions what exists
 * @param realistic whether things take the time they take in Azure
 * @param retryAfter what a client is asked to wait between polls
 * @param coresPerFamily the limit of every family without one of its own
 * @param familyLimits limits by family, in billed cores
 * @param regionalCores the limit of a whole region
 * @param spotCores the limit of low-priority cores in a region
 * @param retiredSizes whether sizes can be had that Azure no longer offers
 * @param pageSize how many entries one page of a list has
 * @param restrictedSizes sizes, in lower case, that the subscription may not use
 * @param visible ids of the subscriptions that are listed
 * @param unregistered namespaces whose provider is not registered
 */
public record Settings(
        String subscription,
        Map<String, String> regions,
        boolean realistic,
        Duration retryAfter,
        int coresPerFamily,
        Map<String, Integer> familyLimits,
        int regionalCores,
        int spotCores,
        boolean retiredSizes,
        int pageSize,
        Set<String> restrictedSizes,
        List<String> visible,
        Set<String> unregistered) {}
