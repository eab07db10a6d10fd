package io.clusterwright.core.spec;

import java.util.Objects;

/**
 * How machines are kept on one fabric.
 *
 * @param kind the way; default {@link Kind#AUTO}
 * @param proximityGroup whether they share a proximity placement group, too; default false
 */
public record Placement(Kind kind, boolean proximityGroup) {
    /** Refuses null. */
    public Placement {
        Objects.requireNonNull(kind, "kind");
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.kind = kind;
        builder.proximityGroup = proximityGroup;
        return builder;
    }

    /** How machines are kept on one fabric. */
    public enum Kind {
        /** Chosen by size and count. */
        AUTO,
        /** One availability set, machine by machine. */
        AVAILABILITY_SET,
        /** One scale set with a single placement group. */
        SCALE_SET,
        /** Wherever there is room: no fabric between them. */
        NONE;

        /** The name as it stands in a description, such as {@code auto}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link Placement}. */
    public static final class Builder {
        private Kind kind = Kind.AUTO;
        private boolean proximityGroup = false;

        Builder() {}

        /** Sets {@link Placement#kind()}. */
        public Builder kind(Kind kind) {
            this.kind = Objects.requireNonNull(kind, "kind");
            return this;
        }

        /** Sets {@link Placement#proximityGroup()}. */
        public Builder proximityGroup(boolean proximityGroup) {
            this.proximityGroup = proximityGroup;
            return this;
        }

        /** The description. */
        public Placement build() {
            return new Placement(kind, proximityGroup);
        }
    }
}
