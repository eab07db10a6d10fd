package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecLineTest {

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash"})
    void argumentsReachTheProgramUnchangedWhateverTheLoginShell(String shell) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            List<String> words = RandomWords.list(random, 8);
            List<String> arguments = new ArrayList<>(List.of("sh", "-c", "printf '%s\\0' \"$@\"", "sh"));
            arguments.addAll(words);
            arguments.add("end");

            Ended ended = run(shell, ExecLine.of(Command.of(arguments), "nonce", false));

            assertThat(ended.out()).as("seed %d, round %d", seed, round).isEqualTo(join(words) + "end\0");
        }
    }

    @Test
    void printsTheLeaderBeforeTheProgramStarts() throws Exception {
        Ended ended = run(
                "sh",
                ExecLine.of(Command.of("sh", "-c", "cat /proc/$$/stat; echo mine >&2"), "0123456789abcdef", false));

        List<String> stat = List.of(ended.out().strip().split(" "));
        assertThat(ended.err())
                .isEqualTo("clusterwright-leader 0123456789abcdef " + stat.get(0) + " " + stat.get(21) + "\nmine\n");
        assertThat(stat.get(5)).as("it leads its own session").isEqualTo(stat.get(0));
    }

    @Test
    void aProgramWithAnEqualsSignIsNotTakenForAVariable() throws Exception {
        Ended ended = run("sh", ExecLine.of(Command.of("no=program").environment("CW", "1"), "n", false));

        assertThat(ended.status()).isEqualTo(127);
        assertThat(ended.err()).contains("no=program");
    }

    @Test
    void elevationKeepsTheEnvironmentOfTheCommand() {
        Command command = Command.of("id").environment("CW_ONE", "a b").elevate();

        assertThat(ExecLine.of(command, "n", false)).endsWith(" n sudo -n -- env 'CW_ONE=a b' id");
        assertThat(ExecLine.of(command, "n", true)).endsWith(" n env 'CW_ONE=a b' id");
        assertThat(ExecLine.of(Command.of("id"), "n", false)).endsWith(" n id");
    }

    @Nested
    class Refuses {

        @Test
        void refusesArgumentsThatLinuxCannotTake() {
            Command tooLong = Command.of("echo", "x".repeat(ExecLine.MAX_BYTES));
            assertThatThrownBy(() -> ExecLine.of(tooLong, "n", false))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("arguments of echo take 13")
                    .hasMessageContaining("standard input or in a file");
        }

        @Test
        void refusesHalfASurrogatePair() {
            assertThatThrownBy(() -> ExecLine.of(Command.of("echo", "\ud800"), "n", false))
                    .hasMessageContaining("an argument of echo holds half of a surrogate pair");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "1A", "A=B", "A B", "Ä", "-u"})
        void refusesAnInvalidVariableName(String name) {
            Command command = Command.of("echo").environment(name, "x");
            assertThatThrownBy(() -> ExecLine.of(command, "n", false))
                    .hasMessageContaining("\"" + name + "\" is not a valid name of an environment variable");
        }
    }

    private static String join(List<String> words) {
        StringBuilder joined = new StringBuilder();
        words.forEach(word -> joined.append(word).append('\0'));
        return joined.toString();
    }

    private record Ended(int status, String out, String err) {}

    private static Ended run(String shell, String line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(shell, "-c", line).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, err);
    }
}
