package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

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
                        "ready\n", names("node2", "node4"),
                        "ready\nlate\n", names("node3"),
                        "ready\nexit status 7\n", names("node1")));
        assertThat(results.groupedByOutput().keySet()).first().isEqualTo("ready\n");
    }

    private static CommandResult result(String node, int status, String stdout, String stderr) {
        return new CommandResult(NodeName.of(node), Command.of("check"), status, stdout, stderr, Duration.ofMillis(1));
    }

    private static List<NodeName> names(String... names) {
        return Stream.of(names).map(NodeName::of).toList();
    }
}
