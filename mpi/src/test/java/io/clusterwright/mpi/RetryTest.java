package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.NodeOutcome;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.manager.FileStateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that lose a node in the middle, on real nodes whose first process is killed. */
@Timeout(300)
class RetryTest {
    private static final NodeName FIRST = NodeName.parse("node1");
    private static final NodeName LAST = NodeName.parse("node3");
    private static final List<NodeName> ALL = List.of(FIRST, NodeName.parse("node2"), LAST);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    /** Runs until a node is lost, unless it is started with the argument of a restart. */
    private static final MpiJob JOB = MpiJob.of(
                    "/bin/sh", "-c", "if [ \"$1\" = --restart ]; then hostname; else echo up; sleep 300; fi", "sh")
            .ranksPerNode(1);

    @TempDir
    private Path folder;

    private ClusterManager manager;
    private Cluster cluster;
    private LaunchTarget target;

    @BeforeEach
    void create() {
        int number = CLUSTERS.incrementAndGet();
        String space = "10.40." + (ProcessHandle.current().pid() % 50 * 5 + number % 5) + ".0/24";
        ClusterName name = ClusterName.parse("retry-" + ProcessHandle.current().pid() + "-" + number);
        manager = ClusterManager.using(new LocalMachines(), new FileStateStore(folder.resolve("state")));
        ClusterSpec spec = ClusterSpec.builder(name)
                .region("local")
                .nodes(nodes -> nodes.count(3).prefix("node").firstIndex(1).size("local"))
                .network(network -> network.addressSpace(space).subnet("test", space))
                .image(image -> image.capture(false))
                .build();
        cluster = manager.create(manager.plan(spec), event -> {});
        target = LaunchTarget.of(cluster);
    }

    @AfterEach
    void destroy() {
        if (cluster != null) {
            cluster.close();
            assertThat(manager.destroy(cluster.name(), event -> {}).left()).isEmpty();
        }
        manager.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = MpiFlavour.class,
            names = {"MPICH", "OPEN_MPI"})
    void goOnWithoutTheNodeThatWasKilled(MpiFlavour flavour) {
        RetriedJob job = losing(flavour, LAST).run(LIMIT, policy());

        assertThat(job.attempts()).extracting(JobAttempt::lost).containsExactly(List.of(LAST), List.of());
        assertThat(job.attempts()).extracting(JobAttempt::next).containsExactly("left out node3", "");
        assertThat(job.attempts().get(1).nodes()).containsExactlyElementsOf(ALL.subList(0, 2));
        assertThat(job.orThrow().result().outputTail())
                .extracting(MpiLine::text)
                .containsExactlyInAnyOrder("node1", "node2");
        assertThat(job.result().clean()).isTrue();
        assertNothingRuns(cluster, ALL.subList(0, 2));
    }

    @Test
    void goOnWhereTheLaunchNodeWasKilled() {
        RetriedJob job = losing(MpiFlavour.MPICH, FIRST).run(LIMIT, policy());

        assertThat(job.attempts().get(0).result().outcome()).isEqualTo(MpiResult.Outcome.LOST);
        assertThat(job.attempts().get(0).lost()).containsExactly(FIRST);
        assertThat(job.orThrow().attempts().get(1).nodes()).containsExactlyElementsOf(ALL.subList(1, 3));
        assertNothingRuns(cluster, ALL.subList(1, 3));
    }

    @Test
    void endWhenTheirAttemptsAreUsedUp() {
        RetriedJob job = losing(MpiFlavour.MPICH, LAST).run(LIMIT, JobPolicy.attempts(1));

        assertThat(job.succeeded()).isFalse();
        assertThat(job.attempts())
                .extracting(JobAttempt::next)
                .containsExactly("not started again: 1 attempts were allowed");
    }

    @Test
    void areNotStartedAgainWhenTheProgramFailed() {
        RetriedJob job = MpiJob.of("/bin/sh", "-c", "exit 3").on(target).run(LIMIT, policy());

        assertThat(job.attempts()).hasSize(1);
        assertThat(job.attempts().get(0).next()).isEqualTo("not started again: ENDED is none of the outcomes to retry");
        assertThat(job.attempts().get(0).lost()).isEmpty();
    }

    private static JobPolicy policy() {
        return JobPolicy.attempts(3).restartWith("--restart").within(Duration.ofMinutes(3));
    }

    private PlacedMpiJob losing(MpiFlavour flavour, NodeName node) {
        return onFirstLine(
                flavour,
                () -> assertThat(Tool.run(List.of("kill", "-KILL", Long.toString(firstProcess(node)))))
                        .isEqualTo(new Tool(0, "")));
    }

    private PlacedMpiJob onFirstLine(MpiFlavour flavour, Runnable harm) {
        AtomicInteger up = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        return JOB.flavour(flavour).on(target).onOutput(line -> {
            if (line.text().equals("up") && up.incrementAndGet() == 3 && done.compareAndSet(false, true)) {
                harm.run();
            }
        });
    }

    private long firstProcess(NodeName node) {
        Path record = Path.of("/run/clusterwright", cluster.name().value(), "nodes", node.value(), "node.json");
        try {
            return new ObjectMapper()
                    .readTree(record.toFile())
                    .path("first")
                    .path("pid")
                    .asLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertNothingRuns(Cluster on, List<NodeName> nodes) {
        Command look = Command.shell("ps -eo args | grep -E '[c]wjob-|[s]leep 300|[o]rted|[h]ydra_pmi' || true");
        for (NodeOutcome outcome : on.run(look, nodes, on.loginUser()).orThrow().outcomes()) {
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            NodeOutcome.Completed.class,
                            done -> assertThat(Map.of(done.node(), done.result().stdout()))
                                    .containsValue(""));
        }
    }
}
