package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.NodeName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class CommandResultTest {
    private static final byte[] BINARY = {'a', (byte) 0xff, 0, '\n'};

    @Test
    void jsonHasBytesThatAreNotUtf8ToTheByte() {
        CommandResult result = result(BINARY, 0);

        assertThat(result.stdout()).isEqualTo("a\uFFFD\0\n");
        assertThat(result.stdoutBytes()).isEqualTo(BINARY);
        assertThat(result.toMap())
                .containsEntry("stdout", "a\uFFFD\0\n")
                .containsEntry("stdoutBase64", Base64.getEncoder().encodeToString(BINARY))
                .doesNotContainKeys("stderrBase64", "truncated", "lostBytes");
    }

    @Test
    void jsonOfTextHasTextAlone() {
        CommandResult result = result("µ\n".getBytes(StandardCharsets.UTF_8), 0);

        assertThat(result.toMap()).containsEntry("stdout", "µ\n").doesNotContainKey("stdoutBase64");
    }

    @Test
    void jsonSaysThatOutputIsMissing() {
        CommandResult result = result(BINARY, 7);

        assertThat(result.lostBytes()).isEqualTo(7);
        assertThat(result.toMap()).containsEntry("truncated", true).containsEntry("lostBytes", 7L);
    }

    private static CommandResult result(byte[] stdout, long lost) {
        return new CommandResult(
                NodeName.of("demo1"),
                Command.of("true"),
                0,
                new CommandResult.Output(stdout, lost),
                new CommandResult.Output(new byte[0], 0),
                Duration.ofMillis(1));
    }
}
