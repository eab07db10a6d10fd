package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {

    @TempDir
    Path folder;

    @Nested
    class Secrets {
        @Test
        void showThemselvesOnlyWhenAsked() {
            Secret secret = Secret.of("hunter2");
            assertThat(secret).hasToString("***");
            assertThat("password " + secret).doesNotContain("hunter2");
            assertThat(secret.reveal()).isEqualTo("hunter2");
        }

        @Test
        void areEqualByTheirContent() {
            assertThat(Secret.of("a")).isEqualTo(Secret.of("a")).hasSameHashCodeAs(Secret.of("b"));
            assertThat(Secret.of("a")).isNotEqualTo(Secret.of("b")).isNotEqualTo("a");
        }

        @Test
        void areNotEmpty() {
            assertThatThrownBy(() -> Secret.of(""))
                    .hasMessageStartingWith("invalid secret \"\": use text that is not empty");
        }
    }

    @Nested
    class References {
        @ParameterizedTest
        @ValueSource(strings = {"env:CW_PASSWORD", "env:_x9", "file:/etc/secret", "file:./custom script.json"})
        void readBackAsThemselves(String text) {
            assertThat(SecretReference.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "hunter2", "env:", "env:9a", "env:a-b", "env:a=b", "file:", "file:a\nb", "ENV:A"})
        void sayWhatIsAllowedWithoutRepeatingTheText(String text) {
            assertThatThrownBy(() -> SecretReference.of(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid reference to a secret \"***\": use env:NAME or file:PATH, never"
                            + " the secret itself (example: env:CW_PASSWORD)");
        }

        @Test
        void fetchAVariable() {
            Secret secret = SecretReference.of("env:CW").resolve(Map.of("CW", "hunter2\n"), folder);
            assertThat(secret.reveal()).isEqualTo("hunter2\n");
        }

        @Test
        void sayWhichVariableIsMissing() {
            SecretReference reference = SecretReference.of("env:CW");
            assertThatThrownBy(() -> reference.resolve(Map.of(), folder))
                    .isInstanceOfSatisfying(
                            SecretReference.UnavailableException.class,
                            e -> assertThat(e.reference()).isEqualTo(reference))
                    .hasMessage("cannot read the secret env:CW: the environment variable is not set or empty;"
                            + " run: export CW=...");
        }
    }

    @Nested
    class Files600 {
        private final SecretReference reference = SecretReference.of("file:key");
        private Path file;

        @BeforeEach
        void write() throws IOException {
            file = Files.writeString(folder.resolve("key"), "hunter2\r\n");
            mode("rw-------");
        }

        private void mode(String permissions) throws IOException {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        }

        private Secret resolve() {
            return reference.resolve(Map.of(), folder);
        }

        @Test
        void giveTheirContentWithoutTheLineEnd() {
            assertThat(resolve().reveal()).isEqualTo("hunter2");
        }

        @Test
        void loseOneLineEndOnly() throws IOException {
            Files.writeString(file, "-----KEY-----\nbody\n\n");
            assertThat(resolve().reveal()).isEqualTo("-----KEY-----\nbody\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
        void areRefusedWhenOthersMayUseThem(String permissions) throws IOException {
            mode(permissions);
            assertThatThrownBy(this::resolve)
                    .hasMessage("cannot read the secret file:key: other users may read " + file + "; run: chmod 600 '"
                            + file + "'");
        }

        @Test
        void areRefusedWhenEmptyAbsentTooLargeOrNotText() throws IOException {
            Files.writeString(file, "\n");
            assertThatThrownBy(this::resolve).hasMessageEndingWith(file + " is empty; write the secret into it");
            Files.write(file, new byte[] {(byte) 0xFF, 'h'});
            assertThatThrownBy(this::resolve).hasMessageEndingWith(file + " is not text in UTF-8");
            Files.write(file, new byte[(1 << 20) + 1]);
            assertThatThrownBy(this::resolve).hasMessageEndingWith(file + " is larger than 1048576 bytes");
            Files.delete(file);
            assertThatThrownBy(this::resolve)
                    .hasMessageEndingWith(file + " cannot be read; create it with mode 0600")
                    .hasCauseInstanceOf(IOException.class);
        }
    }
}
