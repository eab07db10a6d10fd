package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import java.util.Optional;

/**
 * The proof that a cluster works. Limits given here take precedence over the envelope of the size. Use it to set the
 * checks of {@code create} and {@code verify}.
 *
 * @see ClusterSpec
 */
public final class Verification extends SpecPart<Verification.Builder> {
    static final Table<Verification> FIELDS = new Table<>("verify", Verification::new, Builder::new);
    private static final Field<Boolean> HOSTNAME = FIELDS.defaulted("hostname", SpecCodecs.BOOL, true);
    private static final Field<Fabric> FABRIC = FIELDS.defaulted("fabric", SpecCodecs.oneOf(Fabric.class), Fabric.RING);
    private static final Field<LatencyLimit> MAX_LATENCY = FIELDS.optional("maxLatency", LatencyLimit.FIELDS);
    private static final Field<BandwidthLimit> MIN_BANDWIDTH = FIELDS.optional("minBandwidth", BandwidthLimit.FIELDS);

    private Verification(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether an MPI job over all nodes must report every node name. Default: true. */
    public boolean hostname() {
        return get(HOSTNAME);
    }

    /** The pairs of nodes to measure. Default: {@link Fabric#RING}. */
    public Fabric fabric() {
        return get(FABRIC);
    }

    /** The highest latency that passes. Default: the envelope of the size. */
    public Optional<LatencyLimit> maxLatency() {
        return find(MAX_LATENCY);
    }

    /** The lowest bandwidth that passes. Default: the envelope of the size. */
    public Optional<BandwidthLimit> minBandwidth() {
        return find(MIN_BANDWIDTH);
    }

    /** The pairs of nodes that exchange messages to prove the fabric. */
    public enum Fabric {
        /** No pair. */
        NONE,
        /** The pair of the first two nodes. */
        PAIR,
        /** Each node with the next. */
        RING,
        /** Each node with every other. */
        ALL_PAIRS;

        /** The name in a cluster spec, such as {@code none}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** Setters of the fields of {@link Verification}. */
    public static final class Builder extends SpecPart.Builder<Verification, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder hostname(boolean hostname) {
            return set(HOSTNAME, hostname);
        }

        public Builder fabric(Fabric fabric) {
            return set(FABRIC, fabric);
        }

        public Builder maxLatency(LatencyLimit maxLatency) {
            return set(MAX_LATENCY, maxLatency);
        }

        public Builder minBandwidth(BandwidthLimit minBandwidth) {
            return set(MIN_BANDWIDTH, minBandwidth);
        }
    }

    /**
     * The highest latency with which a fabric passes.
     *
     * @param micros the highest latency in microseconds, 0.001 to 1000000000
     * @param upToBytes the largest message that the limit is for, 0 or more; default 512
     */
    public record LatencyLimit(double micros, long upToBytes) {
        static final Table<LatencyLimit> FIELDS = new Table<>(
                        "maxLatency",
                        values -> new LatencyLimit(values.<Double>get("micros"), values.<Long>get("upToBytes")))
                .required(
                        "micros",
                        SpecCodecs.real("latency in microseconds", "3"),
                        LatencyLimit::micros,
                        "give microseconds, such as 3")
                .defaulted("upToBytes", SpecCodecs.bytes("512"), LatencyLimit::upToBytes, 512L);

        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a value is out of its range
         */
        public LatencyLimit {
            Checks.range("latency in microseconds", micros);
            Checks.bytes(upToBytes);
        }
    }

    /**
     * The lowest bandwidth with which a fabric passes.
     *
     * @param gbps the lowest bandwidth in gigabits per second, 0.001 to 1000000000
     */
    public record BandwidthLimit(double gbps) {
        static final Table<BandwidthLimit> FIELDS = new Table<>(
                        "minBandwidth", values -> new BandwidthLimit(values.<Double>get("gbps")))
                .required(
                        "gbps",
                        SpecCodecs.real("bandwidth in gigabits per second", "180"),
                        BandwidthLimit::gbps,
                        "give gigabits per second, such as 180");

        /**
         * Checks the value.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when the value is out of its range
         */
        public BandwidthLimit {
            Checks.range("bandwidth in gigabits per second", gbps);
        }
    }
}
