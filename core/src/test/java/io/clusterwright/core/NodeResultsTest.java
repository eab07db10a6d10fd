package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeResultsTest {

    @Test
    void groupsByOutputErrorsAndExitStatusWithTheLargestGroupFirst() {
        NodeResults results = new NodeResults(Stream.of(
                        result("node1", 7, "ready\n", ""),
                        result("node2", 0, "ready\n", ""),
                        result("node3", 0, "ready\n", "late\n"),
                        result("node4", 0, "ready\n", ""))
                .map(result -> (NodeOutcome) new NodeOutcome.Completed(result))
                .toList());

        assertThat(results.groupedByOutput())
                .containsExactlyInAnyOrderEntriesOf(java.util.Map.of(
                        "ready", names("node2", "node4"),
                        "ready\nlate", names("node3"),
                        "ready\nexit status 7", names("node1")));
        assertThat(results.groupedByOutput().keySet()).first().isEqualTo("ready");
    }

    @Test
    void failedNodesAreThrownWithAnExceptionForEach() {
        NodeName second = NodeName.of("node2");
        NodeName third = NodeName.of("node3");
        NodeResults results = new NodeResults(List.of(
                new NodeOutcome.Completed(result("node1", 7, "", "no disk\n")),
                new NodeOutcome.TimedOut(second, "not over after 5 min"),
                new NodeOutcome.Unreachable(third, "no route")));

        assertThat(results.succeeded()).isFalse();
        assertThat(results.successes()).isEmpty();
        assertThatThrownBy(results::orThrow)
                .isInstanceOfSatisfying(NodesFailedException.class, failed -> {
                    assertThat(failed.failures()).containsOnlyKeys(NodeName.of("node1"), second, third);
                    assertThat(failed.failures().get(second)).isInstanceOf(CommandException.TimedOut.class);
                    assertThat(failed.getSuppressed()).hasSize(2);
                })
                .hasCauseInstanceOf(CommandException.Failed.class)
                .hasMessageContaining("3 of 3 nodes failed")
                .hasMessageContaining("on node1, `check` ended with exit status 7; standard error: no disk");
        assertThat(result("node1", 0, "ready\n", "")).hasToString("on node1, `check` ended with exit status 0");
    }

    @Test
    void aLongLineIsCutInTheMessageAndWholeInTheResult() {
        String line = "x".repeat(1_000_000);
        CommandResult result = result("node1", 1, line + "\n" + line, "first\n" + line);

        assertThat(result.toString())
                .startsWith("on node1, `check` ended with exit status 1; standard error: first | xxx")
                .contains("xxx...; standard output: xxx")
                .endsWith("xxx...")
                .hasSizeLessThan(2000);
        assertThat(result.stdout()).isEqualTo(line + "\n" + line);
    }

    private static CommandResult result(String node, int status, String stdout, String stderr) {
        return new CommandResult(NodeName.of(node), Command.of("check"), status, stdout, stderr, Duration.ofMillis(1));
    }

    private static List<NodeName> names(String... names) {
        return Stream.of(names).map(NodeName::of).toList();
    }
}
