package io.clusterwright.core.spec;

/** The certificate with which a head node manages the subscription that it bursts into. */
public sealed interface ManagementCertificate {
    /** The certificate that HPC Pack brings; fit for test deployments only. */
    static ManagementCertificate brought() {
        return new Brought();
    }

    /**
     * A certificate of the user's.
     *
     * @param thumbprint 40 hexadecimal digits
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    static ManagementCertificate of(String thumbprint) {
        return new Thumbprint(thumbprint);
    }

    /** The certificate that HPC Pack brings. */
    record Brought() implements ManagementCertificate {
        /** {@code default}, as a description names it. */
        @Override
        public String toString() {
            return "default";
        }
    }

    /**
     * A certificate of the user's.
     *
     * @param thumbprint 40 hexadecimal digits, in upper case
     */
    record Thumbprint(String thumbprint) implements ManagementCertificate {
        /**
         * Checks the thumbprint.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
         */
        public Thumbprint {
            thumbprint = Checks.thumbprint(thumbprint);
        }
    }
}
