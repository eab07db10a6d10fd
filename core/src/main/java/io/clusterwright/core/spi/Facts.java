package io.clusterwright.core.spi;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.PriceTable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The facts that rules use beside the spec: the catalogs always, and live facts where they were supplied. Immutable. */
public final class Facts {
    private static final String LOCAL = "local";

    private final @Nullable String provider;
    private final @Nullable PriceTable prices;
    private final List<QuotaUse> quota;

    private Facts(Builder builder) {
        this.provider = builder.provider;
        this.prices = builder.prices;
        this.quota = builder.quota;
    }

    /** The facts without a provider: the catalogs of the library. */
    public static Facts offline() {
        return builder().build();
    }

    /** Starts with the standard catalogs and nothing else. */
    public static Builder builder() {
        return new Builder();
    }

    /** The known sizes of machines. */
    public VmSizes sizes() {
        return VmSizes.standard();
    }

    /** The name of the provider the description is for, where that is known. */
    public Optional<String> provider() {
        return Optional.ofNullable(provider);
    }

    /** Whether the description is for nodes on this machine. */
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

    /** Collects {@link Facts}. */
    public static final class Builder {
        private @Nullable String provider;
        private @Nullable PriceTable prices;
        private List<QuotaUse> quota = List.of();

        Builder() {}

        /** Sets {@link Facts#provider()}. */
        public Builder provider(String provider) {
            this.provider = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /** Sets {@link Facts#prices()}. */
        public Builder prices(PriceTable prices) {
            this.prices = Objects.requireNonNull(prices, "prices");
            return this;
        }

        /** Sets {@link Facts#quota()}. */
        public Builder quota(List<QuotaUse> quota) {
            this.quota = List.copyOf(quota);
            return this;
        }

        /** The facts. */
        public Facts build() {
            return new Facts(this);
        }
    }
}
