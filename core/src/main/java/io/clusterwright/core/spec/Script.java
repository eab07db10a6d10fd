package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A script of the user that is run on every node while the image is made.
 *
 * @param name its name in events and messages
 * @param path the script on this machine; a relative path starts where the description lies
 * @param sudo whether it runs with the rights of root; default false
 * @param timeout how long it may take; default 15 minutes
 */
public record Script(String name, String path, boolean sudo, Duration timeout) {
    /** The default of {@link #timeout()}. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(15);

    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public Script {
        Checks.label("script name", name);
        Checks.path("script", path);
        Checks.positive("timeout", timeout);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.path = path;
        builder.sudo = sudo;
        builder.timeout = timeout;
        return builder;
    }

    /** Collects the parts of a {@link Script}. */
    public static final class Builder {
        private @Nullable String name;
        private @Nullable String path;
        private boolean sudo = false;
        private Duration timeout = DEFAULT_TIMEOUT;

        Builder() {}

        /**
         * Sets {@link Script#name()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder name(String name) {
            this.name = Checks.label("script name", Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Sets {@link Script#path()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder path(String path) {
            this.path = Checks.path("script", Objects.requireNonNull(path, "path"));
            return this;
        }

        /** Sets {@link Script#sudo()}. */
        public Builder sudo(boolean sudo) {
            this.sudo = sudo;
            return this;
        }

        /** Sets {@link Script#timeout()}. */
        public Builder timeout(Duration timeout) {
            this.timeout = Checks.positive("timeout", timeout);
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public Script build() {
            Problems problems = new Problems();
            problems.require("name", name, "give a name, such as install-app");
            problems.require("path", path, "give the path of a script, such as ./install-app.sh");

            problems.throwIfAny();
            return new Script(Objects.requireNonNull(name), Objects.requireNonNull(path), sudo, timeout);
        }
    }
}
