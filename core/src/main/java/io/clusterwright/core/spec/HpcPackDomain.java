package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;

/**
 * The Active Directory domain of the nodes.
 *
 * @param option where the domain comes from; default {@link Option#HEAD_NODE_AS_DC}
 * @param fqdn the full name of the domain; default {@code hpc.local}
 */
public record HpcPackDomain(Option option, String fqdn) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public HpcPackDomain {
        Objects.requireNonNull(option, "option");
        fqdn = Checks.domain(fqdn);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.option = option;
        builder.fqdn = fqdn;
        return builder;
    }

    /** Where the domain comes from. */
    public enum Option {
        /** The head node is the domain controller. */
        HEAD_NODE_AS_DC("HeadNodeAsDC"),
        /** A machine of its own becomes the domain controller. */
        NEW_DC("NewDC"),
        /** The domain is there already. */
        EXISTING_DC("ExistingDC");
        private final String text;

        Option(String text) {
            this.text = text;
        }

        /** The name as it stands in a description, such as {@code HeadNodeAsDC}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Collects the parts of a {@link HpcPackDomain}. */
    public static final class Builder {
        private Option option = Option.HEAD_NODE_AS_DC;
        private String fqdn = "hpc.local";

        Builder() {}

        /** Sets {@link HpcPackDomain#option()}. */
        public Builder option(Option option) {
            this.option = Objects.requireNonNull(option, "option");
            return this;
        }

        /**
         * Sets {@link HpcPackDomain#fqdn()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder fqdn(String fqdn) {
            this.fqdn = Checks.domain(Objects.requireNonNull(fqdn, "fqdn"));
            return this;
        }

        /** The description. */
        public HpcPackDomain build() {
            return new HpcPackDomain(option, fqdn);
        }
    }
}
