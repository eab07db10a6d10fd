package io.clusterwright.core.spec;

import java.util.Objects;

/**
 * The grouping of machines that keeps them on one fabric. Use it on Azure only.
 *
 * @param kind the kind of group; default {@link Kind#AUTO}
 * @param proximityGroup true to add a proximity placement group; default false
 */
public record Placement(Kind kind, boolean proximityGroup) {
    static final Table<Placement> FIELDS = new Table<>(
                    "placement", values -> new Placement(values.get("kind"), values.get("proximityGroup")))
            .defaulted("kind", SpecCodecs.oneOf(Kind.class), Placement::kind, Kind.AUTO)
            .defaulted("proximityGroup", SpecCodecs.BOOL, Placement::proximityGroup, false);

    /** Refuses null. */
    public Placement {
        Objects.requireNonNull(kind, "kind");
    }

    /** Sets the kind of group. */
    public Placement kind(Kind other) {
        return new Placement(other, proximityGroup);
    }

    /** Sets whether there is a proximity placement group. */
    public Placement proximityGroup(boolean other) {
        return new Placement(kind, other);
    }

    /** The kinds of groups. */
    public enum Kind {
        /**
         * Chosen by size, count and kind of machines: a scale set for sizes with RDMA, for spot machines and for many,
         * else an availability set; {@code SizeDefaults.placement} decides.
         */
        AUTO,
        /** One availability set, machine by machine. */
        AVAILABILITY_SET,
        /** One scale set with a single placement group. */
        SCALE_SET,
        /** No group, and no fabric between the machines. */
        NONE;

        /** The name in a cluster spec, such as {@code auto}. */
        @Override
        public String toString() {
            return Checks.word(this);
        }
    }
}
