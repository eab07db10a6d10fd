package io.clusterwright.core.spec;

import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An account made on every node for the people who run jobs.
 *
 * @param name the name of the account
 * @param groups groups the account is in besides its own, made where they are missing; default none
 */
public record UserAccount(UserName name, List<GroupName> groups) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public UserAccount {
        Objects.requireNonNull(name, "name");
        groups = List.copyOf(groups);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.groups.addAll(groups);
        return builder;
    }

    /** Collects the parts of a {@link UserAccount}. */
    public static final class Builder {
        private @Nullable UserName name;
        private final List<GroupName> groups = new ArrayList<>();

        Builder() {}

        /** Sets {@link UserAccount#name()}. */
        public Builder name(UserName name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets {@link UserAccount#name()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder name(String name) {
            return name(UserName.parse(name));
        }

        /** Replaces {@link UserAccount#groups()}. */
        public Builder groups(List<GroupName> groups) {
            List<GroupName> copy = List.copyOf(groups);
            this.groups.clear();
            copy.forEach(this::addGroup);
            return this;
        }

        /** Appends one to {@link UserAccount#groups()}. */
        public Builder addGroup(GroupName group) {
            groups.add(Objects.requireNonNull(group, "group"));
            return this;
        }

        /**
         * Appends one, from text, to {@link UserAccount#groups()}.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder addGroup(String group) {
            return addGroup(GroupName.parse(group));
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public UserAccount build() {
            Problems problems = new Problems();
            problems.require("name", name, "give a name such as hpcuser");

            problems.throwIfAny();
            return new UserAccount(Objects.requireNonNull(name), groups);
        }
    }
}
