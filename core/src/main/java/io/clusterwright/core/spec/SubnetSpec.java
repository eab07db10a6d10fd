package io.clusterwright.core.spec;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of a network that the nodes are in. */
public final class SubnetSpec {
    /** The default of {@link #name()}. */
    public static final String DEFAULT_NAME = "Subnet-1";

    private final String name;
    private final @Nullable AddressRange range;
    private final @Nullable AddressRange addressSpace;

    private SubnetSpec(Builder builder) {
        this.name = builder.name;
        this.range = builder.range;
        this.addressSpace = builder.addressSpace;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.range = range;
        builder.addressSpace = addressSpace;
        return builder;
    }

    /** The name of the subnet. Default: {@code Subnet-1}. */
    public String name() {
        return name;
    }

    /**
     * The addresses of the subnet. Default: the first /24 of the address space, or all of a smaller one; 10.32.0.0/24
     * outside of a network.
     */
    public AddressRange range() {
        return range != null
                ? range
                : firstOf(Objects.requireNonNullElse(addressSpace, NetworkSpec.DEFAULT_ADDRESS_SPACE));
    }

    private static AddressRange firstOf(AddressRange space) {
        return space.prefixLength() >= 24 ? space : new AddressRange(space.network(), 24);
    }

    /** What was given for {@link #range()}, without its default. */
    Optional<AddressRange> givenRange() {
        return Optional.ofNullable(range);
    }

    private List<Object> state() {
        return List.of(name(), range());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubnetSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "SubnetSpec" + state();
    }

    /** Collects the parts of a {@link SubnetSpec}. */
    public static final class Builder {
        private String name = DEFAULT_NAME;
        private @Nullable AddressRange range;
        private @Nullable AddressRange addressSpace;

        Builder() {}

        /** Sets {@link SubnetSpec#name()}. */
        public Builder name(String name) {
            this.name = Checks.resourceName("subnet name", name, 80);
            return this;
        }

        /** Sets {@link SubnetSpec#range()}. */
        public Builder range(AddressRange range) {
            this.range = Objects.requireNonNull(range, "range");
            return this;
        }

        /**
         * Sets {@link SubnetSpec#range()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder range(String range) {
            return range(AddressRange.parse(range));
        }

        /** The addresses of the network. */
        Builder addressSpace(@Nullable AddressRange addressSpace) {
            this.addressSpace = addressSpace;
            return this;
        }

        /** The description. */
        public SubnetSpec build() {
            return new SubnetSpec(this);
        }
    }
}
