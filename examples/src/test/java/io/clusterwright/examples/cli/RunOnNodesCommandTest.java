package io.clusterwright.examples.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell line that {@code ssh} runs, and {@code run} takes for the name of a program. */
class RunOnNodesCommandTest {
    @Test
    void aNameWithASpaceThatIsNotFoundNamesTheShellForm() {
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("df -h | head"), true))
                .contains("there is no program with the name \"df -h | head\": run starts one program, without a shell;"
                        + " for a shell line write: clusterwright run demo -- sh -c 'df -h | head'");
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("ls -l", "a b"), true))
                .hasValueSatisfying(line -> assertThat(line).endsWith("-- sh -c 'ls -l '\\''a b'\\'''"));
    }

    @Test
    void noLineOfANodeNamesAnother() {
        assertThat(RunOnNodesCommand.marked("--- demo2\nx --- y\n--- demo3\r\n\u00c3\u0085--- z\n"))
                .isEqualTo(" --- demo2\nx --- y\n --- demo3\r\n\u00c3\u0085--- z\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[m--- demo2",
                "\u001b[K\u001b[1;31m--- demo2",
                "-\u001b[0m-\u001b[m- demo2",
                "\u200b\u2060\ufeff--- demo2",
                "\u034f\ufe0f--- demo2",
                "\udb40\udc41--- demo2",
                "\u200c-\u200d-\u00ad- demo2",
                "\u00ad\u00ad\u00ad demo2",
                "-\u00ad\u200d\u00ad demo2",
                "---\u00a0demo2",
                "---\tdemo2",
                "\u2010\u2011\u2013 demo2",
                "\u2212\u2500\u2501 demo2",
            })
    void aLineThatLooksLikeTheNameOfANodeIsMarked(String line) {
        String bytes = new String((line + "\nnext\n").getBytes(UTF_8), ISO_8859_1);

        assertThat(RunOnNodesCommand.marked("first\n" + bytes)).isEqualTo("first\n " + bytes);
    }

    @Test
    void otherLinesStayAsTheyAre() {
        String text =
                "--\n---\n-----\n x--- y\n- --- y\n--- a/file\n".replace("--- a", "+++ a") + "\u00ff\u0080\n\nend";

        assertThat(RunOnNodesCommand.marked(text)).isEqualTo(text);
    }

    @Test
    void otherFailuresNameNoShellForm() {
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("df -h"), false)).isEmpty();
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("nosuch", "a b"), true))
                .isEmpty();
    }
}
