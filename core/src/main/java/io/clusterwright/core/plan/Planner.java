package io.clusterwright.core.plan;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.internal.planning.Planning;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans without an account, a provider or rights on this machine: from the spec, the catalogs, and the prices and
 * quotas that the caller states. Checks that need the provider are listed as not checked. Such a plan is for reading: {@code ClusterManager.create} refuses
 * it, and {@code ClusterManager.plan} makes one from live facts.
 *
 * <p>Immutable; making a plan changes nothing and queries no one.
 */
public final class Planner {
    private static final String AZURE = "azure";

    private final String provider;
    private final @Nullable PriceTable prices;
    private final List<QuotaUse> quota;

    private Planner(String provider, @Nullable PriceTable prices, List<QuotaUse> quota) {
        this.provider = provider;
        this.prices = prices;
        this.quota = List.copyOf(quota);
    }

    /** Plans for Azure. */
    public static Planner offline() {
        return new Planner(AZURE, null, List.of());
    }

    /** The same for another provider, such as {@code local}, whose own part of a description is used. */
    public Planner provider(String name) {
        return new Planner(Objects.requireNonNull(name, "name"), prices, quota);
    }

    /** The same with the price of machines, and the findings about {@code costCap}. */
    public Planner prices(PriceTable table) {
        return new Planner(provider, Objects.requireNonNull(table, "table"), quota);
    }

    /** The same with the quotas of the subscription as the caller knows them. */
    public Planner quota(List<QuotaUse> uses) {
        return new Planner(provider, prices, uses);
    }

    /**
     * The plan.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException when a file that the description names cannot be read, or its part for
     *     the provider does not fit the rest
     */
    public Plan plan(ClusterSpec spec) {
        return Planning.offline(spec.forProvider(provider), provider, prices, quota);
    }
}
