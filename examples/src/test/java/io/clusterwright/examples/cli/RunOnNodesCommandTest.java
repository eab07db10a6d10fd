package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shell line that {@code ssh} runs, and {@code run} takes for the name of a program. */
class RunOnNodesCommandTest {
    private static NodeResults ended(int status) {
        return new NodeResults(List.of(new NodeOutcome.Completed(new CommandResult(
                new NodeName("demo1"), Command.of("true"), status, "", "not found", Duration.ofMillis(1)))));
    }

    @Test
    void aNameWithASpaceThatIsNotFoundNamesTheShellForm() {
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("df -h | head"), ended(127)))
                .contains("there is no program with the name \"df -h | head\": run starts one program, without a shell;"
                        + " for a shell line write: clusterwright run demo -- sh -c 'df -h | head'");
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("ls -l", "a b"), ended(127)))
                .hasValueSatisfying(line -> assertThat(line).endsWith("-- sh -c 'ls -l '\\''a b'\\'''"));
    }

    @Test
    void otherFailuresNameNoShellForm() {
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("df -h"), ended(1)))
                .isEmpty();
        assertThat(RunOnNodesCommand.shellLine("demo", List.of("nosuch", "a b"), ended(127)))
                .isEmpty();
    }
}
