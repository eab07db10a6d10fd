package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.internal.engine.JobDescription.LaunchPath;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The helpers of MPICH and Open MPI on both ways to real nodes. */
@Tag("breadth")
@LocalCluster(nodes = 3)
@Timeout(120)
class LaunchPathTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster;
    private final List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());
    private JobTarget target;

    LaunchPathTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void look() {
        target = JobTarget.of(cluster);
    }

    /** A channel of SSH would show as two processes and more: sshd's and the shell that it starts. */
    @Test
    void startsOnlyTheProcessesOfTheJobOverKeptSessions() {
        MpiJob job = MpiJob.of("hostname").flavour(MpiFlavour.MPICH).ranksPerNode(1);
        for (int warmUp = 0; warmUp < 2; warmUp++) {
            assertThat(job.on(target).run(MINUTE).succeeded()).isTrue();
        }
        List<List<Long>> looks = new ArrayList<>();
        List<List<Long>> jobs = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            List<Long> first = newestProcesses();
            List<Long> second = newestProcesses();
            assertThat(job.on(JobTarget.of(cluster)).run(MINUTE).succeeded()).isTrue();
            looks.add(difference(first, second));
            jobs.add(difference(second, newestProcesses()));
        }

        assertThat(difference(least(looks), least(jobs)))
                .as("proxy, shell and rank; on the launch node mpirun and the look for MPIs, too")
                .containsExactly(5L, 3L, 3L);
    }

    /** Numbers of processes count up on a node, which has its own. */
    private List<Long> newestProcesses() {
        return cluster
                .run(Command.of("/bin/sh", "-c", "read -r x x x x newest < /proc/loadavg; echo $newest"))
                .orThrow()
                .outcomes()
                .stream()
                .map(NodeOutcome.Completed.class::cast)
                .map(node -> Long.valueOf(node.result().stdout().strip()))
                .toList();
    }

    private static List<Long> difference(List<Long> before, List<Long> after) {
        return IntStream.range(0, before.size())
                .mapToObj(node -> after.get(node) - before.get(node))
                .toList();
    }

    private static List<Long> least(List<List<Long>> rounds) {
        return IntStream.range(0, rounds.get(0).size())
                .mapToObj(node -> Collections.min(
                        rounds.stream().map(round -> round.get(node)).toList()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void fillsTheNodesInTheirOrder(MpiFlavour mpi, LaunchPath path) {
        List<NodeName> order = List.of(names().get(2), names().get(0), names().get(1));
        JobResult result = run(
                target.only(order),
                mpi,
                path,
                MpiJob.of("hostname").ranksPerNode(2).ranks(5));

        assertThat(result.orThrow().isClean()).isTrue();
        assertThat(result.leftovers()).containsOnlyKeys(names());
        assertThat(hostsByRank())
                .isEqualTo(Map.of(
                        0,
                        order.get(0).value(),
                        1,
                        order.get(0).value(),
                        2,
                        order.get(1).value(),
                        3,
                        order.get(1).value(),
                        4,
                        order.get(2).value()));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void ignoresNodesWithoutRanks(MpiFlavour mpi, LaunchPath path) {
        JobResult result =
                run(target, mpi, path, MpiJob.of("hostname").ranksPerNode(2).ranks(2));

        assertThat(result.orThrow().isClean()).isTrue();
        assertThat(result.leftovers()).containsOnlyKeys(names());
        assertThat(hostsByRank())
                .isEqualTo(Map.of(0, names().get(0).value(), 1, names().get(0).value()));
    }

    @ParameterizedTest
    @EnumSource(names = {"MPICH", "OPEN_MPI"})
    void needsNoKeyOnAnyNodeOverSessions(MpiFlavour mpi) {
        String keys =
                "for f in $HOME/.ssh/id_*; do [ -e \"$f\" ] && mv \"$f\" \"$HOME/.ssh/kept.${f##*/}\"; done; true";
        String back =
                "for f in $HOME/.ssh/kept.*; do [ -e \"$f\" ] && mv \"$f\" \"$HOME/.ssh/${f##*kept.}\"; done; true";
        cluster.run(Command.of("/bin/sh", "-c", keys), names(), cluster.mpiUser())
                .orThrow();
        try {
            JobResult withoutKeys =
                    run(target, mpi, LaunchPath.SESSIONS, MpiJob.of("hostname").ranksPerNode(1));
            assertThat(withoutKeys.orThrow().isClean()).isTrue();
            assertThat(hostsByRank()).hasSize(3);

            assertThat(run(target, mpi, LaunchPath.SSH, MpiJob.of("hostname").ranksPerNode(1))
                            .launchFailures())
                    .isNotEmpty()
                    .allMatch(failure -> !failure.connected());
        } finally {
            cluster.run(Command.of("/bin/sh", "-c", back), names(), cluster.mpiUser())
                    .orThrow();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MPICH", "OPEN_MPI"})
    void givesRanksTheSameLimitsOnBothWays(MpiFlavour mpi) {
        MpiJob job = MpiJob.of("/bin/sh", "-c", "ulimit -l; ulimit -n; umask; id -un; pwd")
                .ranksPerNode(1);
        run(target, mpi, LaunchPath.SSH, job).orThrow();
        List<OutputLine> overSsh = sorted();
        lines.clear();
        run(target, mpi, LaunchPath.SESSIONS, job).orThrow();

        assertThat(sorted()).isEqualTo(overSsh).hasSize(15);
    }

    @ParameterizedTest
    @CsvSource({"MPICH, mpirun", "MPICH, hydra_pmi_proxy", "OPEN_MPI, mpirun", "OPEN_MPI, orted"})
    void survivesTheDeathOfItsHelpersWithoutLeavings(MpiFlavour mpi, String helper) throws InterruptedException {
        try (RunningJob running = startSleeping(mpi)) {
            Node victim = cluster.nodes().get(helper.equals("mpirun") ? 0 : 1);
            cluster.session(victim.name())
                    .run(Command.shell("kill -KILL $(pgrep -f '" + helper + "')")
                            .elevate())
                    .orThrow();

            JobResult result = running.await(Duration.ofSeconds(40)).orElseThrow();

            assertThat(result.succeeded()).isFalse();
            assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        }
        assertNothingRuns();
    }

    @ParameterizedTest
    @EnumSource(names = {"MPICH", "OPEN_MPI"})
    void namesTheNodeWhoseConnectionBroke(MpiFlavour mpi) throws InterruptedException {
        try (RunningJob running = startSleeping(mpi)) {
            Node lost = cluster.nodes().get(1);
            String connections = "kill -KILL $(ps -eo pid,args | awk '/sshd: .*@notty/ {print $1}')";
            assertThatThrownBy(() -> cluster.session(lost.name())
                            .run(Command.shell(connections).elevate()))
                    .isInstanceOf(NodeUnreachableException.class);

            JobResult result = running.await(Duration.ofSeconds(40)).orElseThrow();

            assertThat(result.outcome()).isEqualTo(JobResult.Outcome.NODE_LOST);
            assertThat(result.launchFailures())
                    .containsExactly(new LaunchFailure(lost.address().toString(), 255, true));
            assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        }
        assertNothingRuns();
    }

    @Test
    void refusesALauncherThatStartsItsOwnHelpers() {
        MpiInstallation moved = new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/opt/openmpi/bin/mpirun");
        MpiJob job = MpiJob.of("hostname").installation(moved).launchOverSessions();

        assertThatThrownBy(() -> job.on(target).run(MINUTE))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("Open MPI")
                .hasMessageContaining("use launchOverSsh");
    }

    private RunningJob startSleeping(MpiFlavour mpi) throws InterruptedException {
        CountDownLatch up = new CountDownLatch(3);
        MpiJob job = MpiJob.of("/bin/sh", "-c", "trap '' TERM HUP; setsid sleep 300 & echo up; sleep 300; sleep 300")
                .flavour(mpi)
                .ranksPerNode(1)
                .launchOverSessions();
        RunningJob running = job.on(target).onOutput(line -> up.countDown()).start(MINUTE);
        assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
        return running;
    }

    static Stream<Arguments> ways() {
        return Stream.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI)
                .flatMap(mpi -> Stream.of(LaunchPath.SSH, LaunchPath.SESSIONS).map(path -> Arguments.of(mpi, path)));
    }

    private JobResult run(JobTarget on, MpiFlavour mpi, LaunchPath path, MpiJob job) {
        lines.clear();
        return over(path, job.flavour(mpi)).on(on).onOutput(lines::add).run(MINUTE);
    }

    private static MpiJob over(LaunchPath path, MpiJob job) {
        return path == LaunchPath.SSH ? job.launchOverSsh() : job.launchOverSessions();
    }

    private Map<Integer, String> hostsByRank() {
        Map<Integer, String> hosts = new TreeMap<>();
        lines.forEach(line -> hosts.put(line.rank().orElse(-1), line.text()));
        return hosts;
    }

    private List<OutputLine> sorted() {
        return lines.stream()
                .sorted(Comparator.comparing((OutputLine line) -> line.rank().orElse(-1)))
                .toList();
    }

    private void assertNothingRuns() {
        cluster.run(Command.of(
                        "/bin/sh", "-c", "ps -eo args | grep -E '[c]wjob-|[s]leep 300|[h]ydra_pmi|[o]rted' || true"))
                .orThrow()
                .groupedByOutput()
                .keySet()
                .forEach(output -> assertThat(output).isEmpty());
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }
}
