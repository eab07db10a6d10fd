package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostCommandTest {

    @Test
    void passesArgumentsAndInputUnchanged() {
        assertThat(HostCommand.of("printf", "%s|", "a b", "$HOME", "'\"").orThrow("print"))
                .isEqualTo("a b|$HOME|'\"|");
        assertThat(HostCommand.of("cat").input("ä\n").orThrow("copy")).isEqualTo("ä\n");
    }

    @Test
    void passesNothingOfOurEnvironment() {
        assertThat(HostCommand.of("env").orThrow("look").lines())
                .containsExactlyInAnyOrder(
                        "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "LIBMOUNT_FORCE_MOUNT2=always");
    }

    @Test
    void reportsTheFailureWithItsLastOutput() {
        assertThatThrownBy(() -> HostCommand.of("sh", "-c", "echo one >&2; echo two >&2; exit 7")
                        .orThrow("try"))
                .isInstanceOf(LocalMachinesException.class)
                .hasMessage("could not try: `sh -c echo one >&2; echo two >&2; exit 7` ended with exit status 7; "
                        + "last output: one | two");
    }

    @Test
    void namesAMissingProgram() {
        assertThatThrownBy(() -> HostCommand.of("no-such-program").run("try"))
                .hasMessageContaining("could not try")
                .hasMessageContaining("no-such-program");
    }

    @Test
    void isEndedWhenItsTimeIsOver() {
        assertThatThrownBy(() -> HostCommand.of("sleep", "60")
                        .timeout(Duration.ofMillis(50))
                        .run("wait"))
                .hasMessage("could not wait: `sleep 60` did not end within 50 ms");
    }

    @Test
    void interruptingEndsIt() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> HostCommand.of("sleep", "60").run("wait"))
                .isInstanceOf(OperationInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
