package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshPublicKeyTest {
    private static final String BLOB = "AAAAC3NzaC1lZDI1NTE5AAAAIDF2VOwQt9sVIlnL+BnCNQYdgVr107MX4neRrM3nPOPs";
    private static final String ECDSA = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBAYpzo99ZWseFiVBc+sdVmox"
            + "sO7eHPotNLi9mzInI6kBf4N2j4fhzJ9VFyV5JDQ+xkAISl1v9r9p2wfe0EmyFWU=";

    @Nested
    class Valid {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "ssh-ed25519 " + BLOB,
                    "ssh-ed25519 " + BLOB + " me@here",
                    "ssh-ed25519 " + BLOB + " a comment of words",
                    "ecdsa-sha2-nistp256 " + ECDSA
                })
        void readsBackAsItself(String line) {
            assertThat(SshPublicKey.of(line)).hasToString(line).isEqualTo(SshPublicKey.of(line));
        }

        @Test
        void hasTheFingerprintThatSshKeygenShows() {
            assertThat(SshPublicKey.of("ssh-ed25519 " + BLOB).fingerprint())
                    .isEqualTo("SHA256:vha2Rlx95YlneXSNZ9lMzvWDSpkOiMKj40lPOilDi44");
            assertThat(SshPublicKey.of("ecdsa-sha2-nistp256 " + ECDSA).fingerprint())
                    .isEqualTo("SHA256:1mSBjekAgZsIqF2ESSN4RBFexZbB4wPCzVrZloyqq8o");
        }

        @Test
        void isTheSameKeyWhateverItsComment() {
            SshPublicKey key = SshPublicKey.of("ssh-ed25519 " + BLOB + " a");
            assertThat(key.sameKey(SshPublicKey.of("ssh-ed25519\t" + BLOB + "  b\n")))
                    .isTrue();
            assertThat(key.sameKey(SshPublicKey.of("ecdsa-sha2-nistp256 " + ECDSA)))
                    .isFalse();
            assertThat(key).isNotEqualTo(SshPublicKey.of("ssh-ed25519 " + BLOB + " b"));
        }

        @Test
        void bringsItsBase64IntoTheUsualForm() {
            assertThat(SshPublicKey.of("ecdsa-sha2-nistp256 " + ECDSA.replace("=", "")))
                    .hasToString("ecdsa-sha2-nistp256 " + ECDSA);
        }
    }

    @Nested
    class Invalid {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "ssh-ed25519",
                    "ssh-rsa " + BLOB,
                    "ssh-ed25519 !!!!",
                    "ssh-ed25519 AAAA",
                    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5",
                    "no-pty ssh-ed25519 " + BLOB,
                    "ssh-ed25519 " + BLOB + " two\nlines"
                })
        void saysWhatIsAllowed(String line) {
            assertThatThrownBy(() -> SshPublicKey.of(line))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("\": use the type, the key in base64 and"
                            + " an optional comment, as in the .pub file (example: ssh-ed25519 AAAA");
        }

        @Test
        void doesNotShowAPrivateKeyGivenByMistake() {
            String mistake = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n";
            assertThatThrownBy(() -> SshPublicKey.of(mistake)).hasMessageStartingWith("invalid SSH public key \"***\"");
        }
    }
}
