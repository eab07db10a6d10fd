package io.clusterwright.core.spec;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether nodes are spot machines, which are cheap and can be taken back at any time. */
public final class SpotSpec {
    private final boolean enabled;
    private final @Nullable BigDecimal maxPricePerHour;
    private final Eviction onEviction;

    private SpotSpec(Builder builder) {
        this.enabled = builder.enabled;
        this.maxPricePerHour = builder.maxPricePerHour;
        this.onEviction = builder.onEviction;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.enabled = enabled;
        builder.maxPricePerHour = maxPricePerHour;
        builder.onEviction = onEviction;
        return builder;
    }

    /** Whether nodes are spot machines. Default: false. */
    public boolean enabled() {
        return enabled;
    }

    /** The most to pay for a node and hour, in the currency of the account. Default: up to the regular price. */
    public Optional<BigDecimal> maxPricePerHour() {
        return Optional.ofNullable(maxPricePerHour);
    }

    /** What happens to a machine that is taken back. Default: {@link Eviction#DELETE}. */
    public Eviction onEviction() {
        return onEviction;
    }

    private List<Object> state() {
        return List.of(enabled(), maxPricePerHour(), onEviction());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpotSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "SpotSpec" + state();
    }

    /** What happens to a spot machine that its provider takes back. */
    public enum Eviction {
        /** It is deleted. */
        DELETE,
        /** It is stopped and can be started again. */
        DEALLOCATE;

        /** The name as it stands in a description, such as {@code delete}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link SpotSpec}. */
    public static final class Builder {
        private boolean enabled = false;
        private @Nullable BigDecimal maxPricePerHour;
        private Eviction onEviction = Eviction.DELETE;

        Builder() {}

        /** Sets {@link SpotSpec#enabled()}. */
        public Builder enabled(boolean enabled) {
            this.enabled = enabled;
            return this;
        }

        /** Sets {@link SpotSpec#maxPricePerHour()}. */
        public Builder maxPricePerHour(BigDecimal maxPricePerHour) {
            this.maxPricePerHour = Checks.money("price per hour", maxPricePerHour);
            return this;
        }

        /** Sets {@link SpotSpec#onEviction()}. */
        public Builder onEviction(Eviction onEviction) {
            this.onEviction = Objects.requireNonNull(onEviction, "onEviction");
            return this;
        }

        /** The description. */
        public SpotSpec build() {
            return new SpotSpec(this);
        }
    }
}
