package io.clusterwright.azure.emulator.internal.arm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of an emulated cloud.
 *
 * @param subscription the id of the subscription
 * @param regions the regions: names with display names
 * @param realistic whether things take the time they take in Azure
 * @param retryAfter the wait between polls that answers ask for; zero for none
 * @param coresPerFamily the limit of every family that {@code familyLimits} does not list
 * @param familyLimits limits by family, in billed cores
 * @param regionalCores the limit of a whole region
 * @param spotCores the limit of low-priority cores in a region
 * @param retiredSizes whether sizes can be had that Azure no longer offers
 * @param pageSize how many entries one page of a list has
 * @param restrictedSizes sizes, in lower case, that the subscription may not use
 * @param visible ids of the subscriptions that are listed
 * @param acceptedTerms whether the terms of all plans of the marketplace are accepted
 * @param publicAddresses how many public addresses a region may have
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
        boolean acceptedTerms,
        int publicAddresses,
        Set<String> unregistered) {}
