package io.clusterwright.core.spec;

import java.util.Objects;

/**
 * The databases of the head node.
 *
 * @param option where the databases are; default {@link Option#LOCAL_DB}
 */
public record HpcPackDatabase(Option option) {
    /** Refuses null. */
    public HpcPackDatabase {
        Objects.requireNonNull(option, "option");
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.option = option;
        return builder;
    }

    /** Where the databases are. */
    public enum Option {
        /** On the head node. */
        LOCAL_DB("LocalDB"),
        /** On a machine of their own. */
        NEW_REMOTE_DB("NewRemoteDB"),
        /** On a server that is there already. */
        EXISTING_DB("ExistingDB");
        private final String text;

        Option(String text) {
            this.text = text;
        }

        /** The name as it stands in a description, such as {@code LocalDB}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Collects the parts of a {@link HpcPackDatabase}. */
    public static final class Builder {
        private Option option = Option.LOCAL_DB;

        Builder() {}

        /** Sets {@link HpcPackDatabase#option()}. */
        public Builder option(Option option) {
            this.option = Objects.requireNonNull(option, "option");
            return this;
        }

        /** The description. */
        public HpcPackDatabase build() {
            return new HpcPackDatabase(option);
        }
    }
}
