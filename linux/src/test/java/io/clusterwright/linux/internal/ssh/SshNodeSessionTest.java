package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
class SshNodeSessionTest extends WithSshd {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Nested
    class ACommand {

        @Test
        void keepsItsTwoStreamsApart() {
            CommandResult result = session.run(Command.of("sh", "-c", "echo out; echo err >&2"));

            assertThat(result.stdout()).isEqualTo("out\n");
            assertThat(result.stderr()).isEqualTo("err\n");
            assertThat(result.duration()).isPositive();
        }

        @Test
        void readsNothingFromTheStartUnlessItIsGivenInput() {
            Command where = Command.of("readlink", "/proc/self/fd/0");

            assertThat(session.run(where).stdout()).isEqualTo("/dev/null\n");
            assertThat(session.run(where.input("text")).stdout()).startsWith("pipe:");
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 42, 255})
        void reportsItsExitStatus(int status) {
            assertThat(session.run(Command.of("sh", "-c", "exit " + status)).exitStatus())
                    .isEqualTo(status);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 6, 9, 11, 15})
        void reportsTheSignalThatEndedItAs128AndItsNumber(int signal) {
            assertThat(session.run(Command.of("sh", "-c", "kill -" + signal + " $$"))
                            .exitStatus())
                    .isEqualTo(128 + signal);
        }

        @Test
        void exitsWith127WhenItDoesNotExist() {
            CommandResult result = session.run(Command.of("no-such-program"));

            assertThat(result.exitStatus()).isEqualTo(127);
            assertThat(result.stderr()).contains("no-such-program");
        }

        @Test
        void commandReadsItsInputToTheEnd() {
            byte[] bytes = new byte[5_000_000];
            new java.util.Random(5).nextBytes(bytes);
            CommandResult result = session.run(Command.of("sh", "-c", "sha256sum | cut -c1-64; wc -c </dev/null")
                    .input(bytes));

            assertThat(result.stdout()).startsWith(sha256(bytes));
        }

        @Test
        void inputEndsAtOnceWhenNoneIsGiven() {
            assertThat(session.run(Command.of("wc", "-c")).stdout().strip()).isEqualTo("0");
        }

        @Test
        void commandMayIgnoreALargeInput() {
            assertThat(session.run(Command.of("true").input(new byte[8_000_000]).timeout(SOON))
                            .exitStatus())
                    .isZero();
        }

        @Test
        void passesTheEnvironmentUnchanged() {
            String value = "a b'c\"d$e\\f\ng=h ü";
            CommandResult result = session.run(Command.of("printenv", "CW_ONE", "CW_TWO")
                    .environment("CW_ONE", value)
                    .environment("CW_TWO", ""));

            assertThat(result.stdout()).isEqualTo(value + "\n\n");
        }

        @Test
        void runsAsRootWhenElevatedAndKeepsItsEnvironmentAndInput() {
            CommandResult result = session.run(Command.of("sh", "-c", "id -un; echo \"$CW_ONE\"; cat")
                    .environment("CW_ONE", "x y")
                    .input("input")
                    .elevate());

            assertThat(result.stdout()).isEqualTo("root\nx y\ninput");
            assertThat(result.stderr()).isEmpty();
        }

        @Test
        void needsNoSudoWhenTheAccountIsRoot() {
            try (NodeSession root = transport.connect(sshd.target(UserName.ROOT))) {
                CommandResult result =
                        root.run(Command.of("sh", "-c", "ps -o args= -p $PPID").elevate());
                assertThat(result.orThrow().stdout()).contains("sshd");
            }
        }

        @Test
        void leavesNothingOfItsWrapperInTheEnvironment() {
            assertThat(session.run(Command.of("env")).stdout()).doesNotContain("cw_");
        }

        @Test
        void scriptsStopAtTheFirstFailure() {
            CommandResult result = session.run(Command.shell("echo one\nfalse\necho two\n"));

            assertThat(result.exitStatus()).isEqualTo(1);
            assertThat(result.stdout()).isEqualTo("one\n");
        }

        @Test
        void keepsTheLast16MebibytesOfEachStream() {
            CommandResult result =
                    session.run(Command.of("sh", "-c", "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end"));

            assertThat(result.stdout()).hasSize(16 * 1024 * 1024).endsWith("x\nthe end\n");
            assertThat(result.lostBytes()).isEqualTo(20_000_009 - 16 * 1024 * 1024);
            assertThat(result.toMap()).containsEntry("truncated", true);
        }
    }

    @Test
    void aNewKeyPairIsWhatSshKeygenReads() {
        SshKeyPair pair = Ed25519Keys.generate("clusterwright:wing-flow");
        session.write(pair.privateKey().reveal().getBytes(UTF_8), "key", 0600);

        CommandResult read =
                session.run(Command.of("ssh-keygen", "-y", "-f", "key")).orThrow();

        assertThat(read.stdout().strip()).isEqualTo(pair.publicKey().toString());
        assertThat(pair.publicKey().comment()).isEqualTo("clusterwright:wing-flow");
        assertThat(pair.privateKey().reveal()).startsWith("-----BEGIN OPENSSH PRIVATE KEY-----\n");
    }

    private static String sha256(byte[] bytes) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
