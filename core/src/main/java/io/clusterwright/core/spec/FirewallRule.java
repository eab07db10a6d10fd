package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A program that may be reached through the firewall of a node.
 *
 * @param name the name of the rule
 * @param program the absolute path of the program on the node
 */
public record FirewallRule(String name, String program) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public FirewallRule {
        Checks.label("name of a firewall rule", name);
        Checks.absolutePath(program);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.program = program;
        return builder;
    }

    /** Collects the parts of a {@link FirewallRule}. */
    public static final class Builder {
        private @Nullable String name;
        private @Nullable String program;

        Builder() {}

        /**
         * Sets {@link FirewallRule#name()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder name(String name) {
            this.name = Checks.label("name of a firewall rule", Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Sets {@link FirewallRule#program()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder program(String program) {
            this.program = Checks.absolutePath(Objects.requireNonNull(program, "program"));
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public FirewallRule build() {
            Problems problems = new Problems();
            problems.require("name", name, "give a name, such as mpipingpong");
            problems.require("program", program, "give the path of a program");

            problems.throwIfAny();
            return new FirewallRule(Objects.requireNonNull(name), Objects.requireNonNull(program));
        }
    }
}
