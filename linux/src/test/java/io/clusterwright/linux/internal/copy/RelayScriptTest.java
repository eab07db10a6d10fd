package io.clusterwright.linux.internal.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script that passes a file on, run by the Python of this machine, beside a TLS of another make. */
@Tag("breadth")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RelayScriptTest {
    private static final int SIZE = 3_000_000;

    private final OneTimeCertificate own = OneTimeCertificate.make();
    private final byte[] content = new byte[SIZE];
    private @Nullable Process process;

    @TempDir
    Path folder;

    RelayScriptTest() {
        new Random(SIZE).nextBytes(content);
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void takesTheFileFromWhoHasTheKeyOfTheCopyOnly() throws Exception {
        BufferedReader out = start();
        int port = port(out);
        tell("{\"first\":false,\"children\":[]}");

        assertThat(isTaken(port, null)).as("no certificate").isFalse();
        assertThat(isTaken(port, OneTimeCertificate.make()))
                .as("the certificate of another copy")
                .isFalse();
        try (SSLSocket parent = connect(port, own)) {
            assertThat(parent.getSession().getProtocol()).isIn("TLSv1.2", "TLSv1.3");
            parent.getOutputStream().write(content);
            parent.getOutputStream().flush();
            assertThat(out.readLine()).isEqualTo("done");
        }
        assertThat(folder.resolve("target")).hasBinaryContent(content);
    }

    @Test
    void keepsNothingOfAFileThatIsCutShort() throws Exception {
        BufferedReader out = start();
        int port = port(out);
        tell("{\"first\":false,\"children\":[]}");
        try (SSLSocket parent = connect(port, own)) {
            parent.getOutputStream().write(Arrays.copyOf(content, SIZE - 1));
        }

        assertThat(out.readLine()).isEqualTo("failed the file ended 1 bytes early");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void keepsNothingWhenTheLibraryIsGone() throws Exception {
        BufferedReader out = start();
        int port = port(out);
        tell("{\"first\":false,\"children\":[]}");
        try (SSLSocket parent = connect(port, own)) {
            parent.getOutputStream().write(Arrays.copyOf(content, SIZE / 2));
            process().getOutputStream().close();

            assertThat(process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void hasThePermissionsBeforeTheContent() throws Exception {
        BufferedReader out = start();
        port(out);

        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(folder)
                        .isDirectoryContaining(file -> file.toString().contains("target.clusterwright-")));
        try (var files = Files.list(folder)) {
            Path temporary = files.findFirst().orElseThrow();
            assertThat(Files.getPosixFilePermissions(temporary)).hasSize(2);
        }
    }

    private BufferedReader start() throws IOException {
        byte[] script;
        try (InputStream in = RelayScriptTest.class.getResourceAsStream("relay.py")) {
            script = in.readAllBytes();
        }
        process = new ProcessBuilder("python3", "-I", "-S", "-c", new String(script, StandardCharsets.UTF_8))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ObjectNode task = Json.object()
                .put("path", folder.resolve("target").toString())
                .put("name", "unused")
                .put("mode", 0600)
                .put("size", SIZE)
                .put("nonce", "0")
                .put("address", "127.0.0.1")
                .put("key", own.key().reveal())
                .put("certificate", own.certificate());
        tell(Json.write(task));
        return process.inputReader(StandardCharsets.UTF_8);
    }

    private Process process() {
        return Objects.requireNonNull(process);
    }

    private void tell(String line) throws IOException {
        OutputStream in = process().getOutputStream();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    private static int port(BufferedReader out) throws IOException {
        String line = out.readLine();
        assertThat(line).startsWith("port ");
        return Integer.parseInt(line.substring("port ".length()));
    }

    /** In TLS 1.3 a client learns only when it reads that it was refused. */
    private boolean isTaken(int port, @Nullable OneTimeCertificate by) throws Exception {
        try (SSLSocket socket = connect(port, by)) {
            socket.getOutputStream().write(content);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static SSLSocket connect(int port, @Nullable OneTimeCertificate by)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(by == null ? null : keys(by), new TrustManager[] {new Everyone()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        return socket;
    }

    private static KeyManager[] keys(OneTimeCertificate by) throws IOException, GeneralSecurityException {
        byte[] der = Base64.getMimeDecoder().decode(by.key().reveal().replaceAll("-----.*-----", ""));
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(by.certificate().getBytes(StandardCharsets.US_ASCII)));
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("own", key, new char[0], new Certificate[] {certificate});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** What the relay shows is not what this test is about. */
    private static final class Everyone implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
