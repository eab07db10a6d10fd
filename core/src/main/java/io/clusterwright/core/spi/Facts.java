package io.clusterwright.core.spi;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts that rules use beside the spec: the catalogs always, and live facts where they were supplied. A {@link
 * Rule} reads them. Immutable.
 *
 * @see RuleSet
 */
public final class Facts {
    private static final String LOCAL = "local";

    private final @Nullable String provider;
    private final @Nullable PriceTable prices;
    private final List<QuotaUse> quota;

    private Facts(@Nullable String provider, @Nullable PriceTable prices, List<QuotaUse> quota) {
        this.provider = provider;
        this.prices = prices;
        this.quota = quota;
    }

    /** The facts without a provider: the catalogs of the library. */
    public static Facts offline() {
        return new Facts(null, null, List.of());
    }

    /** Returns the facts for a spec of this provider. */
    public Facts provider(String name) {
        return new Facts(Objects.requireNonNull(name, "name"), prices, quota);
    }

    /** Adds the prices of machines. */
    public Facts prices(PriceTable table) {
        return new Facts(provider, Objects.requireNonNull(table, "table"), quota);
    }

    /** Adds the quotas of the subscription. */
    public Facts quota(List<QuotaUse> uses) {
        return new Facts(provider, prices, List.copyOf(uses));
    }

    /** The known sizes of machines. */
    public VmSizes sizes() {
        return VmSizes.standard();
    }

    /** The facts about the size of the nodes of a spec, where it has a known one. */
    public Optional<VmSizeFacts> size(ClusterSpec spec) {
        return sizes().ofNodes(spec);
    }

    /** Whether the size of the nodes of a spec is known and has this interconnect. */
    public boolean has(ClusterSpec spec, Interconnect interconnect) {
        return size(spec).filter(size -> size.interconnect() == interconnect).isPresent();
    }

    /** The name of the provider the spec is for, where that is known. */
    public Optional<String> provider() {
        return Optional.ofNullable(provider);
    }

    /** Whether the spec is for nodes on this machine. */
    public boolean local() {
        return LOCAL.equals(provider);
    }

    /** The prices of machines, where they were supplied. */
    public Optional<PriceTable> prices() {
        return Optional.ofNullable(prices);
    }

    /** The quotas of the subscription, where a provider queried them. */
    public List<QuotaUse> quota() {
        return quota;
    }

    /** The provider, such as {@code facts about azure}. */
    @Override
    public String toString() {
        return "facts about " + provider().orElse("any provider");
    }
}
