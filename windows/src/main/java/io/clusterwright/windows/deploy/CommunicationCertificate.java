package io.clusterwright.windows.deploy;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The certificate with which the machines of HPC Pack 2016 and later talk to each other: one for all, with its private key, in a key
 * vault that is enabled for deployment.
 *
 * <p>Source: Azure/hpcpack-template, {@code key-vault-with-cert.ps1}, @dea762e.
 */
final class CommunicationCertificate {
    /** The requirements on it, for people. */
    static final String REQUIREMENTS =
            "a certificate of RSA with an exportable private key; key usage digital signature, key agreement, key"
                    + " encipherment and certificate signing; for server and client authentication; subject"
                    + " CN=HPCPackCommunication where it is made for HPC Pack";

    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final List<String> USAGES = List.of(
            "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign");
    private static final List<Integer> NEEDED = List.of(0, 2, 4, 5);

    private CommunicationCertificate() {}

    /** The policy for {@code az keyvault certificate create --policy @FILE} that makes such a certificate, valid for 60 months. */
    static String policy() {
        return """
                {
                  "issuerParameters": {"name": "Self"},
                  "keyProperties": {"exportable": true, "keySize": 2048, "keyType": "RSA", "reuseKey": false},
                  "secretProperties": {"contentType": "application/x-pkcs12"},
                  "x509CertificateProperties": {
                    "subject": "CN=HPCPackCommunication",
                    "validityInMonths": 60,
                    "keyUsage": ["digitalSignature", "keyAgreement", "keyEncipherment", "keyCertSign"],
                    "ekus": ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]
                  }
                }
                """;
    }

    /**
     * The problems that make a certificate unusable; empty for none. A certificate does not say whether its private key can be exported.
     *
     * @param at when it is to be used
     */
    static List<String> problems(X509Certificate certificate, Instant at) {
        List<String> problems = new ArrayList<>();
        if (at.isBefore(certificate.getNotBefore().toInstant())
                || at.isAfter(certificate.getNotAfter().toInstant())) {
            problems.add("it is valid from " + certificate.getNotBefore().toInstant() + " to "
                    + certificate.getNotAfter().toInstant() + " only; create a new certificate");
        }
        if (certificate.getPublicKey() instanceof ECKey) {
            problems.add("its key is an elliptic-curve key; create a certificate with an RSA key");
        }
        boolean[] usage = certificate.getKeyUsage();
        for (int bit : NEEDED) {
            if (usage != null && !usage[bit]) {
                problems.add("its key usage lacks " + USAGES.get(bit) + "; create a certificate with " + REQUIREMENTS);
            }
        }
        List<String> purposes = purposes(certificate);
        for (String purpose : List.of(SERVER, CLIENT)) {
            if (!purposes.isEmpty() && !purposes.contains(purpose)) {
                problems.add("it is not for " + (purpose.equals(SERVER) ? "server" : "client") + " authentication ("
                        + purpose + "); create a certificate with " + REQUIREMENTS);
            }
        }
        return problems;
    }

    private static List<String> purposes(X509Certificate certificate) {
        try {
            List<String> purposes = certificate.getExtendedKeyUsage();
            return purposes == null ? List.of() : purposes;
        } catch (CertificateParsingException e) {
            return List.of("unreadable");
        }
    }
}
