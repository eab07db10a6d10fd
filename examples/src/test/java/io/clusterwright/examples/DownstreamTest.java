package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.OutputLine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The test of a project that uses the library: its code runs on a real cluster of the build machine. */
@Tag("breadth")
@LocalCluster(nodes = 2, otherwise = LocalCluster.Otherwise.SKIP)
class DownstreamTest {

    @Test
    void everyNodeHasARank(Cluster cluster) {
        List<String> names =
                MpiJob.of("hostname")
                        .ranksPerNode(1)
                        .on(cluster)
                        .run(Duration.ofMinutes(1))
                        .orThrow()
                        .outputTail()
                        .stream()
                        .map(OutputLine::text)
                        .sorted()
                        .toList();

        assertThat(names).containsExactly("node1", "node2");
    }

    @Test
    void aFileIsSharedByNoNodes(Cluster cluster) {
        Node first = cluster.nodes().get(0);
        cluster.session(first.name()).run(Command.of("touch", "/tmp/mine")).orThrow();

        assertThat(cluster.run(Command.of("test", "-e", "/tmp/mine")).failures())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.node()).hasToString("node2"));
    }
}
