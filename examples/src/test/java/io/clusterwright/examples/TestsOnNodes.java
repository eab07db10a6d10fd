package io.clusterwright.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.clusterwright.core.Cluster;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The first test of the page {@code docs/start-tests.md}, with its imports. */
final class TestsOnNodes {
    private TestsOnNodes() {}

    @LocalCluster(nodes = 4, otherwise = LocalCluster.Otherwise.SKIP)
    static class SolverTest {
        @Test
        void runsOnFourNodes(Cluster cluster) {
            JobResult result = MpiJob.of("hostname").ranksPerNode(1).on(cluster).run(Duration.ofMinutes(1));
            assertTrue(result.succeeded(), result::summary);
        }
    }
}
