package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What only a cluster of HPC Pack 2019 by Resource Manager has.
 *
 * @param clusterName the name of the cluster, 3 to 12 lower-case letters and digits
 * @param certificate the certificate that nodes talk with
 */
public record HpcPackResourceManager(String clusterName, HpcPackCertificate certificate) {
    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public HpcPackResourceManager {
        Objects.requireNonNull(certificate, "certificate");
        clusterName = Checks.hpcPackClusterName(clusterName);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.clusterName = clusterName;
        builder.certificate = certificate.toBuilder();
        return builder;
    }

    /** Collects the parts of a {@link HpcPackResourceManager}. */
    public static final class Builder {
        private @Nullable String clusterName;
        private HpcPackCertificate.Builder certificate = HpcPackCertificate.builder();

        Builder() {}

        /**
         * Sets {@link HpcPackResourceManager#clusterName()}.
         *
         * @throws InvalidValueException when it is not of its form
         */
        public Builder clusterName(String clusterName) {
            this.clusterName = Checks.hpcPackClusterName(Objects.requireNonNull(clusterName, "clusterName"));
            return this;
        }

        /** Sets {@link HpcPackResourceManager#certificate()}. */
        public Builder certificate(HpcPackCertificate certificate) {
            this.certificate = certificate.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackResourceManager#certificate()}, starting from what was described so far. */
        public Builder certificate(Consumer<HpcPackCertificate.Builder> certificate) {
            certificate.accept(this.certificate);
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HpcPackResourceManager build() {
            Problems problems = new Problems();
            problems.require("clusterName", clusterName, "give a name, such as hpc1");

            @Nullable HpcPackCertificate certificatePart = problems.part("certificate", this.certificate::build);

            problems.throwIfAny();
            return new HpcPackResourceManager(
                    Objects.requireNonNull(clusterName), Objects.requireNonNull(certificatePart));
        }
    }
}
