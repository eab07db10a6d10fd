package io.clusterwright.linux.internal.copy;

import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * A key and a certificate for the nodes of one copy, which know each other by it and trust nothing else. Both exist in memory only.
 *
 * @param key the private key in PEM
 * @param certificate the certificate in PEM, signed with that key
 */
record OneTimeCertificate(Secret key, String certificate) {
    private static final int SERIAL_BITS = 64;
    /** The clocks of nodes may differ by this much; the key is forgotten long before. */
    private static final Duration VALID = Duration.ofDays(2);

    static OneTimeCertificate make() {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            return new OneTimeCertificate(
                    Secret.of(pem("PRIVATE KEY", pair.getPrivate().getEncoded())),
                    pem("CERTIFICATE", certificate(pair, new BigInteger(SERIAL_BITS, random))));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java runtime cannot make a certificate", e);
        }
    }

    private static byte[] certificate(KeyPair pair, BigInteger serial) throws GeneralSecurityException, IOException {
        AlgorithmIdentifier algorithm = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
        X500Name name = new X500Name("CN=clusterwright");
        Instant now = Instant.now();
        V3TBSCertificateGenerator content = new V3TBSCertificateGenerator();
        content.setSerialNumber(new ASN1Integer(serial));
        content.setIssuer(name);
        content.setSubject(name);
        content.setStartDate(new Time(Date.from(now.minus(VALID))));
        content.setEndDate(new Time(Date.from(now.plus(VALID))));
        content.setSubjectPublicKeyInfo(
                SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
        content.setSignature(algorithm);
        TBSCertificate signed = content.generateTBSCertificate();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed.getEncoded(ASN1Encoding.DER));
        DERSequence certificate =
                new DERSequence(new ASN1Encodable[] {signed, algorithm, new DERBitString(signature.sign())});
        return certificate.getEncoded(ASN1Encoding.DER);
    }

    private static String pem(String kind, byte[] content) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }
}
