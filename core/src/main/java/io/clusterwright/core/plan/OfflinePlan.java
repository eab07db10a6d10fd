package io.clusterwright.core.plan;

import io.clusterwright.core.internal.create.Planning;
import io.clusterwright.core.spec.ClusterSpec;

/**
 * Plans without asking anybody: from the description and the catalogs alone, so without an account, a network or rights.
 *
 * <p>What only the provider knows, such as quotas in use, stands in {@link Plan#notChecked()}. Such a plan is for reading:
 * {@code ClusterManager.create} refuses it, and {@code ClusterManager.plan} makes one from live facts.
 */
public final class OfflinePlan {
    private OfflinePlan() {}

    /**
     * The plan of a description for a cloud.
     *
     * @param provider which, such as {@code azure}: the key of the part of {@code on} that is laid over the rest
     * @throws io.clusterwright.core.spec.InvalidSpecException when a file that the description names cannot be read, or its
     *     part for the provider does not fit the rest
     */
    public static Plan of(ClusterSpec spec, String provider) {
        return Planning.offline(spec.forProvider(provider), provider, null);
    }

    /**
     * As {@link #of(ClusterSpec, String)}, with the price of the machines and what the spec's cost cap says to it.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException as there
     */
    public static Plan of(ClusterSpec spec, String provider, PriceTable prices) {
        return Planning.offline(spec.forProvider(provider), provider, prices);
    }
}
