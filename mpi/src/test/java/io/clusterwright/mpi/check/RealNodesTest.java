package io.clusterwright.mpi.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.MpichEnd;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs over real nodes, through the real launchers and their ssh. */
@Tag("breadth")
@LocalCluster(nodes = 3)
@Timeout(180)
class RealNodesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<MpiFlavour> FLAVOURS = List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI);

    private final Cluster cluster;
    private NodeTarget target;

    RealNodesTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void look() {
        target = NodeTarget.of(JobTarget.of(cluster));
    }

    @Test
    void nodesAreKnownToShareOneMachine() {
        assertThat(target.sharesOneMachine()).isTrue();
        assertThat(target.nodes()).extracting(LaunchNode::name).containsExactlyElementsOf(names());
        assertThat(target.network()).contains(cluster.spec().network().subnet().range());
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void allNodesAnswerWithTheirNames(MpiFlavour flavour) {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());

        HostnameCheck.Report report = HostnameCheck.on(target)
                .installation(installed(flavour))
                .onHostname(seen::add)
                .run(MINUTE);

        assertThat(report.succeeded()).as("%s", report.result()).isTrue();
        assertThat(report.answered()).containsExactlyInAnyOrderElementsOf(names());
        assertThat(seen).hasSize(3);
        assertThat(report.result().isClean()).isTrue();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void reportsLimitsInsideRanks(MpiFlavour flavour) {
        MemlockInsideMpi.Report report =
                MemlockInsideMpi.on(target).installation(installed(flavour)).run(MINUTE);

        assertThat(report.limits()).containsOnlyKeys(names());
        assertThat(report.limits().values()).allMatch(limits -> limits.user().isPresent());
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void pingPongOverTcpIsNotAPass(MpiFlavour flavour) {
        List<BenchmarkRow> rows = Collections.synchronizedList(new ArrayList<>());

        PingPongCheck.Report report = PingPongCheck.on(target)
                .installation(installed(flavour))
                .onRow(rows::add)
                .run(MINUTE);

        MpichEnd.assertSucceededOrTold(report.result());
        assertThat(report.table().orElseThrow().rows()).isEqualTo(rows).hasSize(44);
        assertThat(report.verdict()).isEqualTo(Verdict.notJudged("TCP: no RDMA device on these nodes"));
        assertThat(report.toSvg().orElseThrow())
                .contains("Ping-pong between " + names().get(0) + " and " + names().get(1));
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void keepsTheTableOfABenchmarkThatDoesNotEnd(MpiFlavour flavour) {
        String program = flavour == MpiFlavour.MPICH ? "NPmpich2" : "NPopenmpi";
        String wrapper = "/usr/local/bin/" + program;
        cluster.nodes()
                .forEach(node -> elevated(
                        node,
                        "/bin/sh",
                        "-c",
                        "printf '#!/bin/sh\\n/usr/bin/%s \"$@\"; sleep 300\\n' " + program + " > " + wrapper
                                + "; chmod 755 " + wrapper));
        try {
            PingPongCheck.Report report =
                    PingPongCheck.on(target).installation(installed(flavour)).run(MINUTE);

            assertThat(report.result().command()).contains(wrapper);
            assertThat(report.result().outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
            assertThat(report.measured()).isTrue();
            assertThat(report.table().orElseThrow().rows()).hasSize(44);
            assertThat(report.verdict()).isEqualTo(Verdict.notJudged("TCP: no RDMA device on these nodes"));
            assertThat(MpichEnd.others(report.result()))
                    .extracting(Finding::code)
                    .filteredOn(code -> !code.equals("CW-MPI-002"))
                    .containsExactly("CW-MPI-021");
            assertThat(report.result().findings().toString().contains("MPI_Finalize"))
                    .isEqualTo(flavour == MpiFlavour.MPICH);
        } finally {
            cluster.nodes().forEach(node -> elevated(node, "rm", "-f", wrapper));
        }
        assertNothingRuns();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void leavesNothingOfAJobBeyondItsTimeLimit(MpiFlavour flavour) {
        JobResult result = MpiJob.of(
                        "/bin/sh", "-c", "trap '' TERM HUP INT; setsid sleep 300 & while :; do sleep 1; done")
                .flavour(flavour)
                .ranksPerNode(1)
                .on(target)
                .run(Duration.ofSeconds(3));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.leftovers()).containsOnlyKeys(names());
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        assertNothingRuns();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void namesNodesWithoutTheMpi(MpiFlavour flavour) {
        String helper = flavour == MpiFlavour.MPICH ? "/usr/bin/hydra_pmi_proxy" : "/usr/bin/orted";
        Node last = cluster.nodes().get(2);
        elevated(last, "mv", helper, helper + ".off");
        try {
            JobResult result = MpiJob.of("hostname").flavour(flavour).on(target).run(MINUTE);

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures())
                    .containsExactly(new LaunchFailure(last.address().toString(), 127, true));
            assertThat(MpichEnd.others(result))
                    .extracting(Finding::code)
                    .containsExactly("CW-MPI-001", flavour == MpiFlavour.MPICH ? "CW-DIAG-201" : "CW-DIAG-202");
            assertThat(result.gravestFinding().orElseThrow().message()).contains("did not start on " + last.name());
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
            assertThat(result.isClean()).isTrue();
        } finally {
            elevated(last, "mv", helper + ".off", helper);
        }
        assertNothingRuns();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void namesNodesWithAnotherHostKey(MpiFlavour flavour) {
        Node last = cluster.nodes().get(2);
        String known = "~" + cluster.mpiUser() + "/.ssh/known_hosts /etc/ssh/ssh_known_hosts";
        shell("for f in " + known + "; do if [ -e $f ]; then cp -p $f $f.kept; sed -i '/" + last.address()
                + "/d' $f; fi; done");
        try {
            JobResult result = MpiJob.of("hostname")
                    .flavour(flavour)
                    .launchOverSsh()
                    .on(target)
                    .run(MINUTE);

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures())
                    .containsExactly(new LaunchFailure(last.address().toString(), 255, false));
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
        } finally {
            shell("for f in " + known + "; do if [ -e $f.kept ]; then mv $f.kept $f; fi; done");
        }
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void goesOnAfterALostConnectionToTheLaunchNode(MpiFlavour flavour) throws InterruptedException {
        CountDownLatch up = new CountDownLatch(3);
        List<String> lines = new CopyOnWriteArrayList<>();
        RunningJob running = MpiJob.of("/bin/sh", "-c", "echo up; sleep 10; echo over; exit 3")
                .flavour(flavour)
                .ranksPerNode(1)
                .on(target)
                .onOutput(line -> {
                    lines.add(line.text());
                    up.countDown();
                })
                .start(MINUTE);
        assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(running).hasToString("job " + running.token() + ": running");
        assertThat(cluster.session(names().get(0)))
                .asString()
                .startsWith("session of ")
                .endsWith(" on " + names().get(0));
        breakConnections();

        JobResult result = running.await(MINUTE).orElseThrow();

        assertThat(result.outcome()).as("%s", result.findings()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(lines).filteredOn("up"::equals).hasSize(3);
        assertThat(lines).contains("over");
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        assertNothingRuns();
    }

    private void breakConnections() {
        Command kill = Command.shell("kill -KILL $(pgrep -f '^sshd: .*@notty')").elevate();
        assertThatThrownBy(() -> cluster.session(names().get(0)).run(kill))
                .isInstanceOf(NodeUnreachableException.class);
    }

    private MpiInstallation installed(MpiFlavour flavour) {
        return MpiInstallation.on(target.session(names().get(0))).stream()
                .filter(mpi -> mpi.flavour() == flavour)
                .findFirst()
                .orElseThrow();
    }

    private void assertNothingRuns() {
        cluster.run(Command.of(
                        "/bin/sh", "-c", "ps -eo args | grep -E '[c]wjob-|[s]leep 300|[o]rted|[h]ydra_pmi' || true"))
                .orThrow()
                .groupedByOutput()
                .keySet()
                .forEach(output -> assertThat(output).isEmpty());
    }

    private void shell(String script) {
        cluster.session(names().get(0)).run(Command.shell(script).elevate()).orThrow();
    }

    private void elevated(Node node, String... argv) {
        cluster.session(node.name()).run(Command.of(List.of(argv)).elevate()).orThrow();
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }
}
