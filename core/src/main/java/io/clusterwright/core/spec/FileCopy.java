package io.clusterwright.core.spec;

import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that is copied onto every node.
 *
 * @param from the file on this machine; a relative path starts where the description lies
 * @param to the absolute path on the node
 * @param mode its permissions there; default 0644
 */
public record FileCopy(String from, String to, FileMode mode) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public FileCopy {
        Objects.requireNonNull(mode, "mode");
        Checks.path("file to copy", from);
        Checks.absolutePath(to);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.from = from;
        builder.to = to;
        builder.mode = mode;
        return builder;
    }

    /** A file with permissions 0644. */
    public static FileCopy of(String from, String to) {
        return builder().from(from).to(to).build();
    }

    /** Collects the parts of a {@link FileCopy}. */
    public static final class Builder {
        private @Nullable String from;
        private @Nullable String to;
        private FileMode mode = FileMode.parse("0644");

        Builder() {}

        /**
         * Sets {@link FileCopy#from()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder from(String from) {
            this.from = Checks.path("file to copy", Objects.requireNonNull(from, "from"));
            return this;
        }

        /**
         * Sets {@link FileCopy#to()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder to(String to) {
            this.to = Checks.absolutePath(Objects.requireNonNull(to, "to"));
            return this;
        }

        /** Sets {@link FileCopy#mode()}. */
        public Builder mode(FileMode mode) {
            this.mode = Objects.requireNonNull(mode, "mode");
            return this;
        }

        /**
         * Sets {@link FileCopy#mode()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder mode(String mode) {
            return mode(FileMode.parse(mode));
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public FileCopy build() {
            Problems problems = new Problems();
            problems.require("from", from, "give the path of a file, such as ./solver.conf");
            problems.require("to", to, "give an absolute path, such as /opt/app/solver.conf");

            problems.throwIfAny();
            return new FileCopy(Objects.requireNonNull(from), Objects.requireNonNull(to), mode);
        }
    }
}
