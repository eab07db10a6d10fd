package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A certificate in a key vault.
 *
 * @param keyVault the name of the key vault
 * @param secretName the name of the certificate in it
 */
public record HpcPackCertificate(String keyVault, String secretName) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public HpcPackCertificate {
        Checks.label("key vault", keyVault);
        Checks.label("certificate", secretName);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.keyVault = keyVault;
        builder.secretName = secretName;
        return builder;
    }

    /** Collects the parts of a {@link HpcPackCertificate}. */
    public static final class Builder {
        private @Nullable String keyVault;
        private @Nullable String secretName;

        Builder() {}

        /**
         * Sets {@link HpcPackCertificate#keyVault()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder keyVault(String keyVault) {
            this.keyVault = Checks.label("key vault", Objects.requireNonNull(keyVault, "keyVault"));
            return this;
        }

        /**
         * Sets {@link HpcPackCertificate#secretName()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder secretName(String secretName) {
            this.secretName = Checks.label("certificate", Objects.requireNonNull(secretName, "secretName"));
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HpcPackCertificate build() {
            Problems problems = new Problems();
            problems.require("keyVault", keyVault, "give the name of a key vault, such as hpc1-kv");
            problems.require("secretName", secretName, "give the name of a certificate, such as hpcpack-communication");

            problems.throwIfAny();
            return new HpcPackCertificate(Objects.requireNonNull(keyVault), Objects.requireNonNull(secretName));
        }
    }
}
