package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.label;

import java.util.Objects;

/**
 * The settings of a deployment of HPC Pack 2019 by Resource Manager. Use it for a new cluster of HPC Pack.
 *
 * @param clusterName the name of the cluster, 3 to 12 lower-case letters and digits
 * @param certificate the certificate for the communication between nodes
 * @see HpcPackSpec
 */
public record HpcPackResourceManager(String clusterName, HpcPackCertificate certificate) {
    static final Table<HpcPackResourceManager> FIELDS = new Table<>(
                    "resourceManager",
                    values -> new HpcPackResourceManager(values.get("clusterName"), values.get("certificate")))
            .required(
                    "clusterName",
                    SpecCodecs.text("a name", "hpc1", Checks.HPC_PACK_NAME::check),
                    HpcPackResourceManager::clusterName,
                    "give a name, such as hpc1")
            .required(
                    "certificate",
                    HpcPackCertificate.FIELDS,
                    HpcPackResourceManager::certificate,
                    "give the key vault and the name of a certificate");

    /**
     * Checks the values.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the name is not of its form
     */
    public HpcPackResourceManager {
        Objects.requireNonNull(certificate, "certificate");
        clusterName = Checks.HPC_PACK_NAME.check(clusterName);
    }

    /**
     * A certificate in a key vault.
     *
     * @param keyVault the name of the key vault
     * @param secretName the name of the certificate in the key vault
     */
    public record HpcPackCertificate(String keyVault, String secretName) {
        static final Table<HpcPackCertificate> FIELDS = new Table<>(
                        "certificate",
                        values -> new HpcPackCertificate(values.get("keyVault"), values.get("secretName")))
                .required(
                        "keyVault",
                        label("a key vault", "hpc1-kv", "key vault"),
                        HpcPackCertificate::keyVault,
                        "give the name of a key vault, such as hpc1-kv")
                .required(
                        "secretName",
                        label("a certificate", "hpcpack-communication", "certificate"),
                        HpcPackCertificate::secretName,
                        "give the name of a certificate, such as hpcpack-communication");

        /**
         * Checks the names.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a name is not of its form
         */
        public HpcPackCertificate {
            Checks.label("key vault", keyVault);
            Checks.label("certificate", secretName);
        }
    }
}
