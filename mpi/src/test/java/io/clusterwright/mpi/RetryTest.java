package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobAttempts.JobAttempt;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that lose a node in the middle: real nodes that are killed, or whose sshd is. */
@Tag("breadth")
@Timeout(300)
class RetryTest {
    private static final boolean SOAK = Boolean.getBoolean("clusterwright.soak");
    private static final NodeName FIRST = NodeName.of("node1");
    private static final NodeName LAST = NodeName.of("node3");
    private static final List<NodeName> ALL = List.of(FIRST, NodeName.of("node2"), LAST);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(45);
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    /** Runs until a node is lost, unless it is started with the argument of a restart. */
    private static final MpiJob JOB = MpiJob.of(
                    "/bin/sh", "-c", "if [ \"$1\" = --restart ]; then hostname; else echo up; sleep 300; fi", "sh")
            .ranksPerNode(1);

    @TempDir
    private Path folder;

    private ClusterManager manager;
    private Cluster cluster;
    private NodeTarget target;

    @BeforeEach
    void create() {
        int number = CLUSTERS.incrementAndGet();
        String space = "10.49." + (ProcessHandle.current().pid() % 50 * 5 + number % 5) + ".0/24";
        ClusterName name = ClusterName.of("retry-" + ProcessHandle.current().pid() + "-" + number);
        manager = ClusterManager.builder(LocalMachines.create())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build();
        ClusterSpec spec = ClusterSpec.builder(name)
                .region("local")
                .nodes(nodes -> nodes.count(3).prefix("node").firstIndex(1).size("local"))
                .network(network -> network.addressSpace(space).subnet("test", space))
                .image(image -> image.capture(false))
                .build();
        cluster = manager.create(spec);
        target = NodeTarget.of(JobTarget.of(cluster));
    }

    @AfterEach
    void destroy() {
        if (cluster != null) {
            cluster.close();
            assertThat(manager.destroy(cluster.name()).left()).isEmpty();
        }
        manager.close();
    }

    @ParameterizedTest
    @MethodSource("mostLosses")
    void continuesWithoutTheLostNode(Way way, Harm harm) {
        Losing losing = new Losing(way, harm, LAST);

        JobAttempts job = losing.run(policy());

        assertThat(job.attempts()).as("%s", job).extracting(JobAttempt::lost).containsExactly(List.of(LAST), List.of());
        assertThat(job.attempts()).extracting(JobAttempt::next).containsExactly("left out node3", "");
        assertThat(job.attempts().get(1).nodes()).containsExactlyElementsOf(ALL.subList(0, 2));
        assertThat(hosts(job.orThrow())).containsExactlyInAnyOrder("node1", "node2");
        assertEndedSoonAndNamed(job.attempts().get(0), LAST);
        assertLeftNothing(job.result(), ALL.subList(0, 2));
        if (harm == Harm.SSHD) {
            new HeldNode(cluster, LAST).awaitNoJob();
        }
    }

    @ParameterizedTest
    @MethodSource("nodeLosses")
    void continuesWithAReplacementNode(Way way, Harm harm) {
        try (ClusterReplacer replacer = ClusterReplacer.of(manager, cluster, event -> {})) {
            long before = new HeldNode(cluster, LAST).first().pid();
            Losing losing = new Losing(way, harm, LAST);

            JobAttempts job = losing.run(policy().replacing(replacer::replace));

            assertThat(job.attempts())
                    .as("%s", job)
                    .extracting(JobAttempt::next)
                    .containsExactly("replaced node3", "");
            assertThat(job.attempts().get(1).nodes()).containsExactlyElementsOf(ALL);
            assertThat(hosts(job.orThrow())).containsExactlyInAnyOrder("node1", "node2", "node3");
            assertThat(new HeldNode(cluster, LAST).first().pid()).isNotEqualTo(before);
            assertEndedSoonAndNamed(job.attempts().get(0), LAST);
            assertLeftNothing(job.result(), ALL);
        }
    }

    @ParameterizedTest
    @MethodSource("nodeLosses")
    void continuesAfterTheLossOfTheLaunchNode(Way way, Harm harm) {
        Losing losing = new Losing(way, harm, FIRST);

        JobAttempts job = losing.run(policy());

        assertThat(job.attempts())
                .as("%s", job)
                .extracting(JobAttempt::lost)
                .containsExactly(List.of(FIRST), List.of());
        assertThat(job.attempts().get(0).result().outcome()).isEqualTo(JobResult.Outcome.LOST);
        assertThat(job.orThrow().attempts().get(1).nodes()).containsExactlyElementsOf(ALL.subList(1, 3));
        assertEndedSoonAndNamed(job.attempts().get(0), FIRST);
        assertLeftNothing(job.result(), ALL.subList(1, 3));
        if (harm == Harm.SSHD) {
            new HeldNode(cluster, FIRST).awaitNoJob();
        }
    }

    @Test
    void endsAfterTheLastAttempt() {
        JobAttempts job = new Losing(Way.MPICH_OVER_SESSIONS, Harm.SSHD, LAST).run(JobPolicy.attempts(1));

        assertThat(job.succeeded()).isFalse();
        assertThat(job.attempts())
                .extracting(JobAttempt::next)
                .containsExactly("not started again: the limit of 1 attempts is reached");
    }

    @Test
    void doesNotRetryAFailedProgram() {
        JobAttempts job = MpiJob.of("/bin/sh", "-c", "exit 3").on(target).run(LIMIT, policy());

        assertThat(job.attempts()).hasSize(1);
        assertThat(job.attempts().get(0).next()).isEqualTo("not started again: ENDED is not an outcome to retry");
        assertThat(job.attempts().get(0).lost()).isEmpty();
    }

    @Test
    void retriesTheOutcomesThatThePolicyNames() {
        JobPolicy policy = policy().retryOn(Set.of(JobResult.Outcome.ENDED));
        JobAttempts job = MpiJob.of("/bin/sh", "-c", "test \"$1\" = --restart", "sh")
                .ranksPerNode(1)
                .on(target)
                .run(LIMIT, policy);

        assertThat(job.attempts()).as("%s", job).hasSize(2);
        assertThat(job.orThrow().succeeded()).isTrue();
        assertThatThrownBy(() -> policy().retryOn(Set.of(JobResult.Outcome.CANCELLED)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("outcomes other than CANCELLED");
    }

    @Test
    void continuesWithoutANodeThatIsAnnouncedToLeave() {
        JobAttempts job = MpiJob.of("/bin/sh", "-c", "test \"$1\" = --restart && hostname || exit 3", "sh")
                .ranksPerNode(1)
                .on(target)
                .run(LIMIT, policy().excluding(session -> {
                    if (session.node().equals(FIRST)) {
                        throw new IllegalStateException("a node without an answer is not about to leave");
                    }
                    return session.node().equals(LAST);
                }));

        assertThat(job.attempts()).as("%s", job).extracting(JobAttempt::lost).containsExactly(List.of(LAST), List.of());
        assertThat(job.attempts()).extracting(JobAttempt::next).containsExactly("left out node3", "");
        assertThat(hosts(job.orThrow())).containsExactlyInAnyOrder("node1", "node2");
    }

    private static JobPolicy policy() {
        return JobPolicy.attempts(3).restartWith("--restart").within(Duration.ofMinutes(3));
    }

    private static Stream<Arguments> losses() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(Harm.values()).map(harm -> Arguments.of(way, harm)));
    }

    /**
     * Each way loses the ssh server of a node; the loss of a whole node, which is noticed later, comes once in each
     * test but for the soak.
     */
    private static Stream<Arguments> mostLosses() {
        return losses().filter(loss -> SOAK || loss.get()[1] == Harm.SSHD || loss.get()[0] == Way.MPICH_OVER_SESSIONS);
    }

    private static Stream<Arguments> nodeLosses() {
        return losses().filter(
                        loss -> SOAK || loss.get()[1] == Harm.NODE && loss.get()[0] == Way.OPEN_MPI_OVER_SESSIONS);
    }

    private static List<String> hosts(JobAttempts job) {
        return job.result().outputTail().stream().map(OutputLine::text).toList();
    }

    /** Not at the limit, and not without saying which node it was. */
    private static void assertEndedSoonAndNamed(JobAttempt attempt, NodeName lost) {
        JobResult result = attempt.result();
        assertThat(result.succeeded()).isFalse();
        assertThat(result.outcome()).as("%s", result).isNotEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.duration()).as("%s", result).isLessThan(SOON);
        assertThat(result.lostNodes()).as("%s", result).containsExactly(lost);
        assertThat(result.summary()).contains("; lost: " + lost);
        assertThat(result.findings())
                .as("%s", result)
                .anySatisfy(finding -> assertThat(finding.message()).contains(lost.value()));
        assertThat(result.leftovers())
                .as("%s", result)
                .allSatisfy((node, left) -> assertThat(node.equals(lost)
                                || left.remaining() == 0 && left.problem().isEmpty())
                        .as("%s: %s", node, left)
                        .isTrue());
    }

    /** What the job counted, and what the machine that holds the nodes sees. */
    private void assertLeftNothing(JobResult result, List<NodeName> nodes) {
        assertThat(result.leftovers()).containsOnlyKeys(nodes);
        assertThat(result.isClean()).as("%s", result).isTrue();
        assertThat(nodes)
                .allSatisfy(node -> assertThat(new HeldNode(cluster, node).ofJobs())
                        .as("%s", node)
                        .isEmpty());
    }

    private enum Way {
        MPICH_OVER_SESSIONS,
        MPICH_OVER_SSH,
        OPEN_MPI_OVER_SESSIONS,
        OPEN_MPI_OVER_SSH;

        MpiJob of(MpiJob job) {
            return switch (this) {
                case MPICH_OVER_SESSIONS -> job.flavour(MpiFlavour.MPICH).launchOverSessions();
                case MPICH_OVER_SSH -> job.flavour(MpiFlavour.MPICH).launchOverSsh();
                case OPEN_MPI_OVER_SESSIONS -> job.flavour(MpiFlavour.OPEN_MPI).launchOverSessions();
                case OPEN_MPI_OVER_SSH -> job.flavour(MpiFlavour.OPEN_MPI).launchOverSsh();
            };
        }
    }

    private enum Harm {
        NODE,
        SSHD;

        void to(HeldNode node) {
            switch (this) {
                case NODE -> node.kill();
                case SSHD -> node.loseSshd();
            }
        }
    }

    /** The job, and the harm that is done to a node when all its ranks are up. */
    private final class Losing {
        private final PlacedMpiJob job;
        private final CompletableFuture<Void> up = new CompletableFuture<>();
        private final CompletableFuture<Void> harmed;

        Losing(Way way, Harm harm, NodeName node) {
            AtomicInteger ranks = new AtomicInteger();
            harmed = up.thenRunAsync(() -> harm.to(new HeldNode(cluster, node)));
            job = way.of(JOB).on(target).onOutput(line -> {
                if (line.text().equals("up") && ranks.incrementAndGet() == ALL.size()) {
                    up.complete(null);
                }
            });
        }

        JobAttempts run(JobPolicy policy) {
            JobAttempts result = job.run(LIMIT, policy);
            assertThat(harmed).as("%s", result).succeedsWithin(SOON);
            return result;
        }
    }
}
