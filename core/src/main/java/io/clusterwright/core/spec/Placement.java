package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import java.util.Objects;

/**
 * The grouping of machines that keeps them on one fabric. Use it on Azure only.
 *
 * @param kind the group in which Azure creates the nodes; default {@link Kind#AUTO}
 * @param proximityGroup whether the group is in a proximity placement group, which keeps it in one datacenter; default false
 * @see ClusterSpec
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
         * A scale set for spot machines, for more than 200 nodes, and for Linux nodes with RDMA unless {@code network.firstAddress} fixes
         * their addresses; else an availability set.
         */
        AUTO,
        /** Separate machines in one availability set. */
        AVAILABILITY_SET,
        /** One scale set, which Azure allocates as a whole or not at all. */
        SCALE_SET,
        /** Separate machines without a group, and so without InfiniBand between them. */
        NONE;

        /** The name in a cluster spec, such as {@code auto}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }
}
