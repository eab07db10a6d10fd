package io.clusterwright.windows.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that keytool makes are judged. */
class HpcPackCertificateTest {
    private static final String GOOD_USAGE = "ku=digitalSignature,keyAgreement,keyEncipherment,keyCertSign";
    private static final String BOTH = "eku=serverAuth,clientAuth";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void acceptsAFitCertificate() throws Exception {
        assertThat(HpcPackTemplate.certificateProblems(made("RSA", GOOD_USAGE, BOTH), Instant.now()))
                .isEmpty();
    }

    @Test
    void namesEveryDeficiency() throws Exception {
        List<String> problems = HpcPackTemplate.certificateProblems(
                made("EC", "ku=digitalSignature", "eku=serverAuth"),
                Instant.now().plus(Duration.ofDays(9000)));

        assertThat(problems)
                .hasSize(6)
                .anyMatch(text -> text.startsWith("it is valid from"))
                .anyMatch(text -> text.startsWith("its key is an elliptic-curve key"))
                .anyMatch(text -> text.startsWith("its key usage lacks keyCertSign"))
                .anyMatch(text -> text.startsWith("it is not for client authentication"));
    }

    @Test
    void thePolicyAsksForWhatIsChecked() throws Exception {
        var policy = new ObjectMapper().readTree(HpcPackTemplate.certificatePolicy());

        assertThat(policy.at("/keyProperties/exportable").asBoolean()).isTrue();
        assertThat(policy.at("/x509CertificateProperties/keyUsage")).hasSize(4);
        assertThat(policy.at("/x509CertificateProperties/validityInMonths").asInt())
                .isEqualTo(60);
    }

    @Test
    void thePageShowsThePolicy() throws Exception {
        assertThat(Files.readString(Path.of("../docs/hpc-pack.md")))
                .contains("```json\n" + HpcPackTemplate.certificatePolicy() + "```\n");
    }

    private X509Certificate made(String algorithm, String... extensions) throws Exception {
        Path store = folder.resolve("store.p12");
        keytool(store, algorithm, extensions);
        Path exported = folder.resolve("cert.cer");
        run(List.of(
                "-exportcert",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit",
                "-alias",
                "c",
                "-file",
                exported.toString()));
        try (InputStream in = Files.newInputStream(exported)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static void keytool(Path store, String algorithm, String... extensions) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit",
                "-alias",
                "c",
                "-dname",
                "CN=HPCPackCommunication",
                "-keyalg",
                algorithm,
                "-validity",
                "1800"));
        for (String extension : extensions) {
            arguments.add("-ext");
            arguments.add(extension);
        }
        run(arguments);
    }

    private static void run(List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
