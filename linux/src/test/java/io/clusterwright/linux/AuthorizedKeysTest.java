package io.clusterwright.linux;

import static io.clusterwright.linux.Samples.KEY_11;
import static io.clusterwright.linux.Samples.KEY_12;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorizedKeysTest {
    private static final String FOREIGN = "# ours\nfrom=\"10.0.0.0/8\",command=\"echo \\\"a b\\\" ssh-rsa\" "
            + Samples.key(5, "them") + "\r\n\nssh-rsa broken";

    private final AuthorizedKeys keys = new AuthorizedKeys(List.of(KEY_11, KEY_12));

    @TempDir
    Path folder;

    @Test
    void matchesTheGoldenFile() {
        Golden.check("authorized_keys", keys.text());
    }

    @Nested
    class Adding {
        @Test
        void keepsForeignLines() {
            assertThat(keys.addTo(FOREIGN)).isEqualTo(FOREIGN + "\n" + keys.text());
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "no-pty ", "command=\"a b\",no-pty\t", "  "})
        void isNotNeededForAKeyThatIsThereWithOptionsOrAnotherComment(String options) {
            String text = options + KEY_11.type() + " " + KEY_11.base64() + " other\n";
            assertThat(new AuthorizedKeys(List.of(KEY_11)).addTo(text)).isEqualTo(text);
        }

        @Test
        void isIdempotentAndReversible() {
            Seeded.times(200, random -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(6); i > 0; i--) {
                    text.append(List.of("", "no-pty ", "environment=\"A=b c\" ", "# ")
                                    .get(random.nextInt(4)))
                            .append(Samples.key(20 + random.nextInt(5), "x"))
                            .append("\n");
                }
                String added = keys.addTo(text.toString());
                assertThat(keys.addTo(added)).isEqualTo(added);
                assertThat(keys.removeFrom(added)).isEqualTo(text.toString());
            });
        }
    }

    @Test
    void removingTakesEveryLineOfTheKey() {
        String text = KEY_11 + "\nno-pty " + KEY_11 + "\n# " + KEY_11 + "\n" + FOREIGN;
        assertThat(keys.removeFrom(text)).isEqualTo("# " + KEY_11 + "\n" + FOREIGN);
    }

    @Test
    @Tag("breadth")
    void sshKeygenReadsEveryKey() throws IOException {
        Path file = Files.writeString(
                folder.resolve("keys"), new AuthorizedKeys(List.of(KEY_11)).addTo("no-pty " + Samples.key(5, "a b")));
        assertThat(Tool.run("ssh-keygen", "-lf", file.toString()).orThrow().lines())
                .containsExactly(
                        "256 " + Samples.key(5, "").fingerprint() + " a b (ED25519)",
                        "256 " + KEY_11.fingerprint() + " root@cluster11 (ED25519)");
    }
}
