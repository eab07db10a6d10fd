package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much memory somebody may lock, which a fabric needs.
 *
 * @param who a user, a group or everybody
 * @param limit how much
 */
public record MemlockRule(MemlockSubject who, MemlockLimit limit) {
    /** Refuses null. */
    public MemlockRule {
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(limit, "limit");
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.who = who;
        builder.limit = limit;
        return builder;
    }

    /** A rule for somebody, such as {@code hpcuser}, {@code @hpc} or {@code *}, with a number of KiB or {@code unlimited}. */
    public static MemlockRule of(String who, String limit) {
        return new MemlockRule(MemlockSubject.parse(who), MemlockLimit.parse(limit));
    }

    /** Collects the parts of a {@link MemlockRule}. */
    public static final class Builder {
        private @Nullable MemlockSubject who;
        private @Nullable MemlockLimit limit;

        Builder() {}

        /** Sets {@link MemlockRule#who()}. */
        public Builder who(MemlockSubject who) {
            this.who = Objects.requireNonNull(who, "who");
            return this;
        }

        /**
         * Sets {@link MemlockRule#who()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder who(String who) {
            return who(MemlockSubject.parse(who));
        }

        /** Sets {@link MemlockRule#limit()}. */
        public Builder limit(MemlockLimit limit) {
            this.limit = Objects.requireNonNull(limit, "limit");
            return this;
        }

        /**
         * Sets {@link MemlockRule#limit()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder limit(String limit) {
            return limit(MemlockLimit.parse(limit));
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public MemlockRule build() {
            Problems problems = new Problems();
            problems.require("who", who, "give a user, a group such as @hpc, or *");
            problems.require("limit", limit, "give a number of KiB or unlimited");

            problems.throwIfAny();
            return new MemlockRule(Objects.requireNonNull(who), Objects.requireNonNull(limit));
        }
    }
}
