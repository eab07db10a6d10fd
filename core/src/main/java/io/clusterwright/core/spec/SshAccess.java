package io.clusterwright.core.spec;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How nodes are reached over SSH from outside of their network. */
public final class SshAccess {
    private final List<AddressRange> allowFrom;
    private final External external;
    private final @Nullable Integer portPrefix;

    private SshAccess(Builder builder) {
        this.allowFrom = List.copyOf(builder.allowFrom);
        this.external = builder.external;
        this.portPrefix = builder.portPrefix;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.allowFrom.addAll(allowFrom);
        builder.external = external;
        builder.portPrefix = portPrefix;
        return builder;
    }

    /** Who may reach them. Default: nobody named, and the address of the caller is used. */
    public List<AddressRange> allowFrom() {
        return allowFrom;
    }

    /** Which nodes can be reached. Default: {@link External#HEAD}. */
    public External external() {
        return external;
    }

    /**
     * The digits that stand before the index of a node to make its port, 1 to 6553: 101 and node 11 make 10111.
     * Default: none, and each reachable node has a public address and port 22.
     */
    public OptionalInt portPrefix() {
        return portPrefix == null ? OptionalInt.empty() : OptionalInt.of(portPrefix);
    }

    private List<Object> state() {
        return List.of(allowFrom(), external(), portPrefix());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SshAccess that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "SshAccess" + state();
    }

    /** Which nodes answer SSH from outside of their network. */
    public enum External {
        /** None of them. */
        NONE,
        /** The head node; the first node where there is none. */
        HEAD,
        /** Every node. */
        ALL;

        /** The name as it stands in a description, such as {@code none}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link SshAccess}. */
    public static final class Builder {
        private final List<AddressRange> allowFrom = new ArrayList<>();
        private External external = External.HEAD;
        private @Nullable Integer portPrefix;

        Builder() {}

        /** Replaces {@link SshAccess#allowFrom()}. */
        public Builder allowFrom(List<AddressRange> allowFrom) {
            List<AddressRange> copy = List.copyOf(allowFrom);
            this.allowFrom.clear();
            copy.forEach(this::addAllowFrom);
            return this;
        }

        /** Appends one to {@link SshAccess#allowFrom()}. */
        public Builder addAllowFrom(AddressRange allowFrom) {
            this.allowFrom.add(Objects.requireNonNull(allowFrom, "allowFrom"));
            return this;
        }

        /**
         * Appends one, from text, to {@link SshAccess#allowFrom()}.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder addAllowFrom(String allowFrom) {
            return addAllowFrom(AddressRange.parse(allowFrom));
        }

        /** Sets {@link SshAccess#external()}. */
        public Builder external(External external) {
            this.external = Objects.requireNonNull(external, "external");
            return this;
        }

        /** Sets {@link SshAccess#portPrefix()}. */
        public Builder portPrefix(int portPrefix) {
            this.portPrefix = Checks.range("port prefix", portPrefix, 1, 6553, 101);
            return this;
        }

        /** The description. */
        public SshAccess build() {
            return new SshAccess(this);
        }
    }
}
