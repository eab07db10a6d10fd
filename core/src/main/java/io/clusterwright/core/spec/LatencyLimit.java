package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The highest latency that a fabric may have and pass.
 *
 * @param micros microseconds, 0.001 to 1000000000
 * @param upToBytes for messages of up to this many bytes, 0 or more; default 512
 */
public record LatencyLimit(double micros, long upToBytes) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public LatencyLimit {
        Checks.range("latency in microseconds", micros);
        Checks.bytes(upToBytes);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.micros = micros;
        builder.upToBytes = upToBytes;
        return builder;
    }

    /** Collects the parts of a {@link LatencyLimit}. */
    public static final class Builder {
        private @Nullable Double micros;
        private long upToBytes = 512;

        Builder() {}

        /**
         * Sets {@link LatencyLimit#micros()}.
         *
         * @throws InvalidValueException when it is out of its range
         */
        public Builder micros(double micros) {
            this.micros = Checks.range("latency in microseconds", micros);
            return this;
        }

        /**
         * Sets {@link LatencyLimit#upToBytes()}.
         *
         * @throws InvalidValueException when it is negative
         */
        public Builder upToBytes(long upToBytes) {
            this.upToBytes = Checks.bytes(upToBytes);
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public LatencyLimit build() {
            Problems problems = new Problems();
            problems.require("micros", micros, "give microseconds, such as 3");

            problems.throwIfAny();
            return new LatencyLimit(Objects.requireNonNull(micros), upToBytes);
        }
    }
}
