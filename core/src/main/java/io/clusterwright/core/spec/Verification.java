package io.clusterwright.core.spec;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What proves that a cluster works. Thresholds given here win over the envelope of the size. */
public final class Verification {
    private final boolean hostname;
    private final Fabric fabric;
    private final @Nullable LatencyLimit maxLatency;
    private final @Nullable BandwidthLimit minBandwidth;

    private Verification(Builder builder, @Nullable LatencyLimit maxLatency, @Nullable BandwidthLimit minBandwidth) {
        this.hostname = builder.hostname;
        this.fabric = builder.fabric;
        this.maxLatency = maxLatency;
        this.minBandwidth = minBandwidth;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.hostname = hostname;
        builder.fabric = fabric;
        builder.maxLatency = maxLatency == null ? null : maxLatency.toBuilder();
        builder.minBandwidth = minBandwidth == null ? null : minBandwidth.toBuilder();
        return builder;
    }

    /** Whether an MPI job over all nodes must answer with every name. Default: true. */
    public boolean hostname() {
        return hostname;
    }

    /** Which pairs of nodes are measured. Default: {@link Fabric#RING}. */
    public Fabric fabric() {
        return fabric;
    }

    /** The highest latency that passes. Default: the envelope of the size. */
    public Optional<LatencyLimit> maxLatency() {
        return Optional.ofNullable(maxLatency);
    }

    /** The lowest bandwidth that passes. Default: the envelope of the size. */
    public Optional<BandwidthLimit> minBandwidth() {
        return Optional.ofNullable(minBandwidth);
    }

    private List<Object> state() {
        return List.of(hostname(), fabric(), maxLatency(), minBandwidth());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Verification that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "Verification" + state();
    }

    /** Which pairs of nodes exchange messages to prove the fabric. */
    public enum Fabric {
        /** No pair. */
        NONE,
        /** The first two nodes. */
        PAIR,
        /** Each node with the next. */
        RING,
        /** Each node with every other. */
        ALL_PAIRS;

        /** The name as it stands in a description, such as {@code none}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link Verification}. */
    public static final class Builder {
        private boolean hostname = true;
        private Fabric fabric = Fabric.RING;
        private LatencyLimit.@Nullable Builder maxLatency;
        private BandwidthLimit.@Nullable Builder minBandwidth;

        Builder() {}

        /** Sets {@link Verification#hostname()}. */
        public Builder hostname(boolean hostname) {
            this.hostname = hostname;
            return this;
        }

        /** Sets {@link Verification#fabric()}. */
        public Builder fabric(Fabric fabric) {
            this.fabric = Objects.requireNonNull(fabric, "fabric");
            return this;
        }

        /** Sets {@link Verification#maxLatency()}. */
        public Builder maxLatency(LatencyLimit maxLatency) {
            this.maxLatency = maxLatency.toBuilder();
            return this;
        }

        /** Describes {@link Verification#maxLatency()}, starting from what was described so far. */
        public Builder maxLatency(Consumer<LatencyLimit.Builder> maxLatency) {
            LatencyLimit.Builder builder = this.maxLatency == null ? LatencyLimit.builder() : this.maxLatency;
            maxLatency.accept(builder);
            this.maxLatency = builder;
            return this;
        }

        /** Sets {@link Verification#minBandwidth()}. */
        public Builder minBandwidth(BandwidthLimit minBandwidth) {
            this.minBandwidth = minBandwidth.toBuilder();
            return this;
        }

        /** Describes {@link Verification#minBandwidth()}, starting from what was described so far. */
        public Builder minBandwidth(Consumer<BandwidthLimit.Builder> minBandwidth) {
            BandwidthLimit.Builder builder = this.minBandwidth == null ? BandwidthLimit.builder() : this.minBandwidth;
            minBandwidth.accept(builder);
            this.minBandwidth = builder;
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public Verification build() {
            Problems problems = new Problems();

            @Nullable
            LatencyLimit maxLatencyPart = maxLatency == null ? null : problems.part("maxLatency", maxLatency::build);

            @Nullable
            BandwidthLimit minBandwidthPart =
                    minBandwidth == null ? null : problems.part("minBandwidth", minBandwidth::build);

            problems.throwIfAny();
            return new Verification(this, maxLatencyPart, minBandwidthPart);
        }
    }
}
