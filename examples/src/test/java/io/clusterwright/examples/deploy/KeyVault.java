package io.clusterwright.examples.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The certificate of a cluster, as HPC Pack wants it, and the vault that has it. */
final class KeyVault {
    static final String NAME = "hpc1-kv";

    private static final String ALIAS = "hpcpack";
    private static final String PASSWORD = "only-for-the-file";
    private static final String GENERATE = "-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -genkeypair -alias " + ALIAS
            + " -keyalg RSA -keysize 2048 -dname CN=HPCPackCommunication -validity 1825"
            + " -ext KU=digitalSignature,keyAgreement,keyEncipherment,keyCertSign -ext EKU=serverAuth,clientAuth"
            + " -storetype PKCS12 -storepass " + PASSWORD + " -keystore";

    private final X509Certificate certificate;
    private final String pfx;

    private KeyVault(X509Certificate certificate, String pfx) {
        this.certificate = certificate;
        this.pfx = pfx;
    }

    /** Makes a certificate by the JDK's {@code keytool}. */
    static KeyVault withNewCertificate(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve("hpcpack.p12");
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of(GENERATE.split(" ")));
        words.add(file.toString());
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IOException(output);
        }
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            made.load(in, PASSWORD.toCharArray());
        }
        // A vault gives its certificates without a password.
        KeyStore plain = KeyStore.getInstance("PKCS12");
        plain.load(null, null);
        plain.setKeyEntry(
                ALIAS, made.getKey(ALIAS, PASSWORD.toCharArray()), new char[0], made.getCertificateChain(ALIAS));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        plain.store(out, new char[0]);
        return new KeyVault(
                (X509Certificate) made.getCertificate(ALIAS),
                Base64.getEncoder().encodeToString(out.toByteArray()));
    }

    X509Certificate certificate() {
        return certificate;
    }

    String thumbprint() throws GeneralSecurityException {
        return HexFormat.of()
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded()));
    }

    /**
     * Makes the vault, with the certificate as a secret.
     *
     * @return the URL of the secret, with its version
     */
    String in(EmulatedGroup group, String region, boolean enabled) throws IOException, InterruptedException {
        String vault = group.id("Microsoft.KeyVault/vaults/" + NAME);
        group.put(
                vault,
                "2023-07-01",
                "{'location':'" + region + "','properties':{'tenantId':'11111111-1111-1111-1111-111111111111',"
                        + "'sku':{'family':'A','name':'standard'},'accessPolicies':[],'enabledForDeployment':" + enabled
                        + "}}");
        JsonNode secret = group.put(
                vault + "/secrets/hpcpack-communication",
                "2023-07-01",
                "{'properties':{'contentType':'application/x-pkcs12','value':'" + pfx + "'}}");
        if (Json.write(secret).contains(pfx)) {
            throw new AssertionError("the vault returns the value of a secret");
        }
        return secret.at("/properties/secretUriWithVersion").asText();
    }
}
