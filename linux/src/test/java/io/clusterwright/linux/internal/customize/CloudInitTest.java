package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.Golden;
import io.clusterwright.linux.Samples;
import io.clusterwright.linux.Seeded;
import io.clusterwright.linux.Tool;
import io.clusterwright.linux.UneditableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
class CloudInitTest {
    private static final CloudInit FULL = new CloudInit()
            .hostname(Samples.node(11))
            .addUser(new UserName("hpcuser"), List.of(new GroupName("hpc")), List.of(Samples.KEY_11, Samples.KEY_12))
            .hostKey(
                    Secret.of("-----BEGIN OPENSSH PRIVATE KEY-----\nbm90IGEga2V5\n-----END OPENSSH PRIVATE KEY-----\n"),
                    Samples.KEY_12)
            .addFile("/opt/app/solver.conf", "mesh: fine\n\ttab \"q\" 'a'\n", FileMode.of("0644"))
            .addFile("/opt/app/on", "yes", FileMode.of("0755"));

    @TempDir
    Path folder;

    @Test
    void matchesTheGoldenFile() {
        Golden.check("cloud-init.yaml", FULL.text().reveal());
    }

    @Test
    void textIsSecret() {
        assertThat(FULL.text()).hasToString("***");
        assertThat(FULL.toString()).doesNotContain("PRIVATE");
    }

    @Test
    void cloudInitAcceptsIt() throws IOException {
        Path file = Files.writeString(folder.resolve("user-data"), FULL.text().reveal());
        Tool result = Tool.run("cloud-init", "schema", "--config-file", file.toString());
        assertThat(result.orThrow()).contains("Valid cloud-config");
        assertThat(result.output() + result.errors()).doesNotContainIgnoringCase("warning");
    }

    @Test
    void theYamlReaderOfCloudInitReadsEveryTextUnchanged() {
        Seeded.times(15, random -> readUnchanged(text(random)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\n\u0085", "a\n\u2028b\n", "a\u2029\n", "a\r\nb\r\n", "\u0085", "a\n\ufeffb\n", "a\n\u007f\n"})
    void theYamlReaderOfCloudInitReadsEveryEndOfALineUnchanged(String text) {
        readUnchanged(text);
    }

    private void readUnchanged(String text) {
        CloudInit builder = new CloudInit();
        builder.addFile("/x", text, FileMode.of("0600"));
        try {
            Path yaml =
                    Files.writeString(folder.resolve("x.yaml"), builder.text().reveal());
            Path expected = Files.writeString(folder.resolve("expected"), text);
            Tool.run(
                            "python3",
                            "-c",
                            "import sys, yaml; f = yaml.safe_load(open(sys.argv[1], encoding='utf-8'))"
                                    + "['write_files'][0]; assert f['permissions'] == '0600', f;"
                                    + " e = open(sys.argv[2], encoding='utf-8', newline='').read();"
                                    + " assert f['content'] == e, (f['content'], e)",
                            yaml.toString(),
                            expected.toString())
                    .orThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(List.of(
                        "yes",
                        "0777",
                        "1:30",
                        "null",
                        "~",
                        "",
                        " x",
                        "- a",
                        "#c",
                        "a: b\n",
                        "%",
                        "\ta",
                        "é€😀",
                        "\u0085\u2028")
                .get(random.nextInt(14)));
        for (int i = random.nextInt(300); i > 0; i--) {
            text.append(Seeded.text(random, "ab'\":#-\\\n \t{}[]|>&*!%@`é\u00a0", 1));
        }
        return text.toString();
    }

    @Nested
    class Refused {
        private final CloudInit builder = new CloudInit();

        @Test
        void refusesAnAccountWithoutKeys() {
            assertThatThrownBy(() -> builder.addUser(new UserName("hpcuser"), List.of(), List.of()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("account hpcuser has no key, so no login is possible: add a public key");
        }

        @Test
        void refusesAHostKeyOfAnotherType() {
            SshPublicKey rsa = new SshPublicKey("ssh-rsa", "AAAAB3NzaC1yc2EAAAAB", "");
            assertThatThrownBy(() -> builder.hostKey(Secret.of("k"), rsa))
                    .hasMessage("invalid host key type \"ssh-rsa\": use ssh-ed25519" + " (example: ssh-ed25519)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "solver.conf", "~/x", "/opt/"})
        void refusesARelativePath(String path) {
            assertThatThrownBy(() -> builder.addFile(path, "", FileMode.of("0644")))
                    .hasMessageContaining("invalid file path ");
        }

        @Test
        void refusesTheSettingsOfEth1() {
            assertThatThrownBy(() -> builder.addFile("/etc/netplan/60.yaml", "eth1: {}", FileMode.of("0600")))
                    .isInstanceOf(UneditableFileException.class);
        }
    }
}
