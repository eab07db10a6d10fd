package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The subscription that the classic scenarios deploy into.
 *
 * @param id its id, 32 hexadecimal digits in five groups
 * @param storageAccount the storage account for disks, 3 to 24 of a-z and 0-9; made when it is missing
 */
public record HpcPackSubscription(String id, String storageAccount) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public HpcPackSubscription {
        id = Checks.uuid(id);
        storageAccount = Checks.storageAccount(storageAccount);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.id = id;
        builder.storageAccount = storageAccount;
        return builder;
    }

    /** Collects the parts of a {@link HpcPackSubscription}. */
    public static final class Builder {
        private @Nullable String id;
        private @Nullable String storageAccount;

        Builder() {}

        /**
         * Sets {@link HpcPackSubscription#id()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder id(String id) {
            this.id = Checks.uuid(Objects.requireNonNull(id, "id"));
            return this;
        }

        /**
         * Sets {@link HpcPackSubscription#storageAccount()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder storageAccount(String storageAccount) {
            this.storageAccount = Checks.storageAccount(Objects.requireNonNull(storageAccount, "storageAccount"));
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HpcPackSubscription build() {
            Problems problems = new Problems();
            problems.require("id", id, "give the id of a subscription");
            problems.require("storageAccount", storageAccount, "give the name of a storage account, such as hpc1store");

            problems.throwIfAny();
            return new HpcPackSubscription(Objects.requireNonNull(id), Objects.requireNonNull(storageAccount));
        }
    }
}
