package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lowest bandwidth that a fabric may have and pass.
 *
 * @param gbps gigabits per second, 0.001 to 1000000000
 */
public record BandwidthLimit(double gbps) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public BandwidthLimit {
        Checks.range("bandwidth in gigabits per second", gbps);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.gbps = gbps;
        return builder;
    }

    /** Collects the parts of a {@link BandwidthLimit}. */
    public static final class Builder {
        private @Nullable Double gbps;

        Builder() {}

        /**
         * Sets {@link BandwidthLimit#gbps()}.
         *
         * @throws InvalidValueException when it is out of its range
         */
        public Builder gbps(double gbps) {
            this.gbps = Checks.range("bandwidth in gigabits per second", gbps);
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public BandwidthLimit build() {
            Problems problems = new Problems();
            problems.require("gbps", gbps, "give gigabits per second, such as 180");

            problems.throwIfAny();
            return new BandwidthLimit(Objects.requireNonNull(gbps));
        }
    }
}
