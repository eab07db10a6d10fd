package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The most that a cluster may cost.
 *
 * @param currency the currency, as three capital letters
 * @param perHour the amount per hour, above 0, with at most 4 decimals
 */
public record CostCap(String currency, BigDecimal perHour) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public CostCap {
        currency = Checks.currency(currency);
        perHour = Checks.money("cost per hour", perHour);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.currency = currency;
        builder.perHour = perHour;
        return builder;
    }

    /** Collects the parts of a {@link CostCap}. */
    public static final class Builder {
        private @Nullable String currency;
        private @Nullable BigDecimal perHour;

        Builder() {}

        /**
         * Sets {@link CostCap#currency()}.
         *
         * @throws InvalidValueException when it is not three capital letters
         */
        public Builder currency(String currency) {
            this.currency = Checks.currency(Objects.requireNonNull(currency, "currency"));
            return this;
        }

        /**
         * Sets {@link CostCap#perHour()}.
         *
         * @throws InvalidValueException when it is out of its range
         */
        public Builder perHour(BigDecimal perHour) {
            this.perHour = Checks.money("cost per hour", Objects.requireNonNull(perHour, "perHour"));
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public CostCap build() {
            Problems problems = new Problems();
            problems.require("currency", currency, "give a currency such as EUR");
            problems.require("perHour", perHour, "give an amount such as 60");

            problems.throwIfAny();
            return new CostCap(Objects.requireNonNull(currency), Objects.requireNonNull(perHour));
        }
    }
}
