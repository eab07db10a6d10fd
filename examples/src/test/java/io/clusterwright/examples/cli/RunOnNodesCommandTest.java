package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void otherFailuresNameNoShellForm() {
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("df -h"), false)).isEmpty();
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("nosuch", "a b"), true))
                .isEmpty();
    }
}
