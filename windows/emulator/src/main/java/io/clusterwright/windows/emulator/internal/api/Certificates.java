package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key and a self-signed certificate for {@code localhost}, made for one server by the JDK's {@code keytool}.
 *
 * @param context for the server
 * @param certificate what clients are to trust
 */
public record Certificates(SSLContext context, X509Certificate certificate) {
    private static final String ALIAS = "head";
    private static final String VARIABLE = "CLUSTERWRIGHT_STORE";
    // The first compiler alone makes a short program of the JDK twice as fast.
    private static final String GENERATE = "-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -genkeypair -alias " + ALIAS
            + " -keyalg EC -groupname secp256r1 -dname CN=localhost"
            + " -ext SAN=dns:localhost -validity 2 -storetype PKCS12 -storepass:env " + VARIABLE + " -keystore";

    public static Certificates create() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        try {
            Path folder = Files.createTempDirectory("hpc-pack-emulator");
            Path file = folder.resolve("head.p12");
            try {
                keytool(file, password);
                return load(file, password.toCharArray());
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate could be made for the emulated head node", e);
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("Interrupted while a certificate was made.", e);
        }
    }

    private static void keytool(Path file, String password) throws IOException, InterruptedException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> words = new ArrayList<>(List.of(program.toString()));
        words.addAll(List.of(GENERATE.split(" ")));
        words.add(file.toString());
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put(VARIABLE, password);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(program + " failed: " + output.strip());
        }
    }

    private static Certificates load(Path file, char[] password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return new Certificates(context, (X509Certificate) store.getCertificate(ALIAS));
    }
}
