package io.clusterwright.azure;

import static io.clusterwright.azure.RealPool.HPC_X;
import static io.clusterwright.azure.RealPool.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.fabric.NodePair;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The checks of a network, and attempts after a loss, on a pool of Batch of three nodes, to which no session is opened. */
@Tag("breadth")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BatchFabricTest {
    private static final List<NodeName> NODES =
            List.of(new NodeName("trio1"), new NodeName("trio2"), new NodeName("trio3"));

    private RealPool made;
    private BatchPool pool;
    private JobTarget target;

    @BeforeAll
    void createPool(@TempDir Path folder) {
        ClusterSpec spec = ClusterSpec.builder("trio")
                .region("westeurope")
                .nodes(n -> n.count(3).size("Standard_D4s_v5"))
                // The nodes share the cores of this machine.
                .mpi(m -> m.env(Map.of("OMPI_MCA_mpi_yield_when_idle", "1")))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .build();
        made = RealPool.create(folder, "10.74.3.0/24", spec, each -> each);
        pool = made.pool;
        target = pool.target(HPC_X);
    }

    @AfterAll
    void deletePool() {
        if (made != null) {
            made.close();
        }
    }

    @Test
    @Order(1)
    void everyNodeAnswersWithItsAddressWhateverItsName() {
        HostnameCheck.Report report = HostnameCheck.on(target).run(SOON);
        assertThat(report.succeeded()).as(report.result().toString()).isTrue();
        assertThat(report.answered()).containsExactlyInAnyOrderElementsOf(NODES);
    }

    @Test
    @Order(2)
    void ranksOfSomeNodesRunOnExactlyThese() {
        List<String> addresses =
                pool.nodes().stream().map(BatchPool.Node::address).toList();
        JobResult result = MpiJob.of("hostname", "-I")
                .ranksPerNode(1)
                .on(LaunchTarget.of(target).exactly(NODES.subList(1, 3)))
                .run(SOON);
        assertThat(result.outputTail().stream().map(line -> line.text().strip()))
                .containsExactlyInAnyOrder(addresses.get(1), addresses.get(2));
    }

    @Test
    @Order(3)
    void measuresAPairAndItsTransport() {
        NodePair pair = new NodePair(NODES.get(1), NODES.get(2));
        FabricReport report =
                FabricCheck.on(target).pairs(List.of(pair)).withoutHostnames().run(SOON);
        assertThat(report.pairs()).singleElement().satisfies(result -> {
            assertThat(result.pair()).isEqualTo(pair);
            assertThat(result.measured()).as(result.toRow()).isTrue();
            assertThat(result.table().orElseThrow().rows()).hasSizeGreaterThan(10);
        });
        assertThat(report.transport().toString()).containsIgnoringCase("TCP");
        assertThat(report.succeeded()).isTrue();
    }

    /** The pool is made smaller behind the back of the jobs: one is put back into the queue, the other waits for three nodes in vain. */
    @Test
    @Order(4)
    void aJobIsStartedAgainWithoutANodeThatHasGone() {
        QueuedJob interrupted =
                MpiJob.of("sleep", "4713").ranksPerNode(1).on(target).submit();
        assertThat(interrupted.status().state()).isEqualTo(QueuedJobStatus.State.RUNNING);
        made.calls().post("resize", "/pools/trio/resize", Json.object().put("targetDedicatedNodes", 2));
        assertThat(pool.awaitReady(SOON)).hasSize(2);
        assertThat(interrupted.await(Duration.ofSeconds(1))).isEmpty();
        interrupted.cancel();
        assertThat(interrupted.await(SOON))
                .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(QueuedJobStatus.State.CANCELLED));
        JobAttempts attempts =
                MpiJob.of("hostname").ranksPerNode(1).on(target).run(Duration.ofSeconds(8), JobPolicy.attempts(2));
        assertThat(attempts.attempts()).as(attempts.toString()).hasSize(2);
        assertThat(attempts.attempts().get(0).lost()).singleElement().isIn(NODES);
        assertThat(attempts.attempts().get(1).nodes()).hasSize(2);
        assertThat(attempts.succeeded()).isTrue();
    }
}
