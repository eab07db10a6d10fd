package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.io.OutputStream;
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
        Ended ended = run("sh", Command.of("no=program").environment("CW", "1"));

        assertThat(ended.status()).isEqualTo(127);
        assertThat(ended.err()).contains("no=program");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash"})
    void variablesReachTheProgramUnchangedAndStandOnNoLine(String shell) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<String> values = RandomWords.list(random, 4);
            Command command =
                    Command.of("sh", "-c", "printf '%s\\0' \"$@\"; cat; env -0 | grep -z ^CW_ | sort -z", "sh", "a");
            StringBuilder expected = new StringBuilder("a\0own\ninput");
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i) + "secret\n\u2192\u0081\n";
                command = command.environment("CW_" + i, value);
                expected.append("CW_").append(i).append('=').append(value).append('\0');
            }
            command = command.input("own\ninput");

            assertThat(ExecLine.of(command, "nonce", false)).doesNotContain("secret");
            assertThat(run(shell, command).out())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected.toString());
        }
    }

    @Test
    void aCommandWithVariablesAndWithoutInputReadsNothing() throws Exception {
        assertThat(run(
                                "sh",
                                Command.of("sh", "-c", "readlink /proc/self/fd/0; echo $CW")
                                        .environment("CW", "1"))
                        .out())
                .isEqualTo("/dev/null\n1\n");
    }

    @Test
    void elevationKeepsTheEnvironmentOfTheCommand() {
        Command command = Command.of("id").environment("CW_ONE", "a b").elevate();

        assertThat(ExecLine.of(command, "n", false))
                .contains(" n sudo -n -- /bin/sh -c ")
                .endsWith(" sh id");
        assertThat(ExecLine.of(command, "n", true)).contains(" n /bin/sh -c ").endsWith(" sh id");
        assertThat(ExecLine.of(Command.of("id").elevate(), "n", false)).endsWith(" n sudo -n -- env id");
        assertThat(ExecLine.of(Command.of("id"), "n", false)).endsWith(" n id");
    }

    @Nested
    class Refuses {

        @Test
        void refusesArgumentsThatLinuxCannotTake() {
            Command tooLong = Command.of("echo", "x".repeat(ExecLine.MAX_BYTES));
            assertThatThrownBy(() -> ExecLine.of(tooLong, "n", false))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("arguments of echo are 13")
                    .hasMessageContaining("standard input or in a file");
        }

        @Test
        void refusesHalfASurrogatePair() {
            assertThatThrownBy(() -> ExecLine.of(Command.of("echo", "\ud800"), "n", false))
                    .hasMessageContaining("an argument of echo is not valid Unicode: it has half of a surrogate pair");
        }

        @Test
        void refusesAValueThatNoVariableCanHaveWithoutShowingIt() {
            Command command = Command.of("echo").environment("KEY", "hidden\0");
            assertThatThrownBy(() -> ExecLine.of(command, "n", false))
                    .hasMessageContaining("the value of KEY has a NUL character")
                    .hasMessageNotContaining("hidden");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "1A", "A=B", "A B", "Ä", "-u"})
        void refusesAnInvalidVariableName(String name) {
            Command command = Command.of("echo").environment(name, "x");
            assertThatThrownBy(() -> ExecLine.of(command, "n", false))
                    .hasMessageContaining("invalid environment variable name \"" + name + "\"");
        }
    }

    private static String join(List<String> words) {
        StringBuilder joined = new StringBuilder();
        words.forEach(word -> joined.append(word).append('\0'));
        return joined.toString();
    }

    private record Ended(int status, String out, String err) {}

    private static Ended run(String shell, Command command) throws IOException, InterruptedException {
        return run(shell, ExecLine.of(command, "n", false), ExecLine.input(command));
    }

    private static Ended run(String shell, String line) throws IOException, InterruptedException {
        return run(shell, line, new byte[0]);
    }

    private static Ended run(String shell, String line, byte[] input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(shell, "-c", line).start();
        try (OutputStream out = process.getOutputStream()) {
            out.write(input);
        }
        String out = new String(process.getInputStream().readAllBytes(), UTF_8)
                .replaceFirst("\\Aclusterwright-leader [^\n]*\n", "");
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, err);
    }
}
