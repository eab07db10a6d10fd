package io.clusterwright.azure.internal.inspect;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.ResourceSkuInner;
import com.azure.resourcemanager.compute.models.ResourceSkuCapabilities;
import com.azure.resourcemanager.compute.models.ResourceSkuRestrictionsType;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.type.VmSize;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sizes that a region offers to the subscription, asked for once for each region. */
public final class Sizes {
    private final Clients clients;
    private final Map<String, Map<String, ResourceSkuInner>> regions = new ConcurrentHashMap<>();

    public Sizes(Clients clients) {
        this.clients = clients;
    }

    /** A size as the region has it; empty when it does not. */
    Optional<ResourceSkuInner> find(String region, VmSize size) {
        return Optional.ofNullable(regions.computeIfAbsent(region, this::read).get(plain(size.name())));
    }

    /** Whether the size can do accelerated networking; where Azure does not tell, a size is not assumed to. */
    public boolean accelerated(String region, VmSize size) {
        try {
            return find(region, size)
                    .map(sku -> is(sku, "AcceleratedNetworkingEnabled"))
                    .orElse(false);
        } catch (AzureException e) {
            if (!Errors.isRefusal(e)) {
                throw e;
            }
            return false;
        }
    }

    static boolean is(ResourceSkuInner sku, String capability) {
        return "true".equalsIgnoreCase(capability(sku, capability));
    }

    /** The value of a capability; empty where the size does not state it. */
    static String capability(ResourceSkuInner sku, String name) {
        List<ResourceSkuCapabilities> all = sku.capabilities() == null ? List.of() : sku.capabilities();
        return all.stream()
                .filter(one -> name.equalsIgnoreCase(one.name()))
                .map(ResourceSkuCapabilities::value)
                .findFirst()
                .orElse("");
    }

    /** Why the subscription may not use the size in its region; empty when it may. */
    static String restriction(ResourceSkuInner sku) {
        return sku.restrictions() == null
                ? ""
                : sku.restrictions().stream()
                        .filter(one -> one.type() == ResourceSkuRestrictionsType.LOCATION)
                        .map(one -> String.valueOf(one.reasonCode()))
                        .findFirst()
                        .orElse("");
    }

    private Map<String, ResourceSkuInner> read(String region) {
        Map<String, ResourceSkuInner> sizes = new LinkedHashMap<>();
        clients.arm()
                .list(
                        "read the sizes of " + region,
                        () -> clients.compute()
                                .getResourceSkus()
                                .list("location eq '" + region + "'", null, Context.NONE))
                .forEach(sku -> {
                    if ("virtualMachines".equalsIgnoreCase(sku.resourceType()) && offered(sku, region)) {
                        sizes.put(plain(sku.name()), sku);
                    }
                });
        return sizes;
    }

    /** Whether it is of this region; the filter is not obeyed everywhere. */
    private static boolean offered(ResourceSkuInner sku, String region) {
        return sku.locations() == null
                || sku.locations().stream().anyMatch(one -> plain(one).equals(plain(region)));
    }

    private static String plain(String text) {
        return text.replace(" ", "").toLowerCase(Locale.ROOT);
    }
}
