package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.WrappedNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fabric between four real nodes, as it is, with a slow node, with a broken pair, and where RDMA is claimed. */
@Tag("breadth")
@LocalCluster(nodes = 4)
@Timeout(240)
class RealFabricTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Cluster cluster;
    private NodeTarget target;

    RealFabricTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void look() {
        target = NodeTarget.of(JobTarget.of(cluster));
    }

    @Test
    void aRingIsMeasuredInTwoRounds() {
        List<BenchmarkRow> rows = Collections.synchronizedList(new ArrayList<>());

        FabricReport report =
                FabricCheck.on(cluster).ring().onFirstTable(rows::add).run(LIMIT);

        assertThat(report.hostnames().orElseThrow().succeeded()).isTrue();
        assertThat(report.rounds()).hasSize(2);
        assertThat(report.pairs()).hasSize(4).allSatisfy(RealFabricTest::expectMeasured);
        assertThat(rows)
                .isEqualTo(report.pairs().get(0).table().orElseThrow().rows())
                .hasSize(44);
        assertThat(report.transport().kind()).isEqualTo(Transport.Kind.TCP);
        assertThat(report.verdict()).isEqualTo(Verdict.notJudged("TCP: no RDMA device on these nodes"));
        assertThat(report.succeeded()).isTrue();
        assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-036");
        assertNothingRuns();
    }

    /**
     * The switch lets 200 Mbit/s come from one node, with no burst worth the name: a small part of what the others
     * have. Where the processors
     * are busy with other things, the others may look as slow for once.
     */
    @Test
    void allPairsAreMeasuredInThreeRoundsAndANodeThatIsSlowIsNamed() {
        List<PairResult> heard = Collections.synchronizedList(new ArrayList<>());
        NodeName slow = names().get(2);
        NodeNetwork.run(cluster, slow, throttle("add", "rate", "200mbit", "burst", "2kb", "limit", "1mb"));
        try {
            FabricCheck check = FabricCheck.on(cluster).allPairs().withoutHostnames();
            FabricReport report = check.onPair(heard::add).run(LIMIT);
            expectAllInThreeRounds(report, heard);
            for (int again = 0; again < 3 && report.slowNodes().isEmpty(); again++) {
                report = check.run(LIMIT);
            }

            assertThat(report.pairs()).allSatisfy(RealFabricTest::expectMeasured);
            assertThat(report.slowNodes())
                    .as("%s", report.toTable())
                    .extracting(Outlier::what)
                    .first()
                    .isEqualTo(slow);
            assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-034");
            assertThat(report.succeeded()).isTrue();
        } finally {
            NodeNetwork.run(cluster, slow, throttle("del"));
        }
        assertNothingRuns();
    }

    private static void expectAllInThreeRounds(FabricReport report, List<PairResult> heard) {
        assertThat(report.rounds()).hasSize(3);
        assertThat(report.pairs()).hasSize(6).allSatisfy(RealFabricTest::expectMeasured);
        assertThat(heard)
                .extracting(PairResult::pair)
                .containsExactlyInAnyOrderElementsOf(
                        report.pairs().stream().map(PairResult::pair).toList());
        assertThat(report.parallel()).isLessThanOrEqualTo(2);
    }

    private static String[] throttle(String verb, String... limits) {
        List<String> argv = new ArrayList<>(List.of("tc", "qdisc", verb, "dev", "eth0", "root"));
        if (limits.length > 0) {
            argv.add("tbf");
            argv.addAll(List.of(limits));
        }
        return argv.toArray(String[]::new);
    }

    /** The benchmark works, but not where MPI is to name its transports. */
    @Test
    void verdictNamesAFailedTransportRun() {
        List<NodeName> pair = names().subList(0, 2);
        MpiInstallation mpich = MpiInstallation.on(cluster.session(pair.get(0), cluster.mpiUser())).stream()
                .filter(found -> found.flavour() == MpiFlavour.MPICH)
                .findFirst()
                .orElseThrow();
        cluster.run(asRoot("""
                        mv /usr/bin/NPmpich2 /usr/bin/NPmpich2.good
                        printf '#!/bin/sh\\n[ -z "$MPIR_CVAR_DEBUG_SUMMARY" ] || exit 7\\nexec NPmpich2.good "$@"\\n' >/usr/bin/NPmpich2
                        chmod 755 /usr/bin/NPmpich2
                        """), pair, cluster.loginUser()).orThrow();
        try {
            FabricReport report = FabricCheck.on(cluster)
                    .firstPair()
                    .withoutHostnames()
                    .installation(mpich)
                    .run(LIMIT);

            assertThat(report.pairs()).singleElement().satisfies(RealFabricTest::expectMeasured);
            assertThat(report.transport().kind()).isEqualTo(Transport.Kind.UNKNOWN);
            assertThat(report.verdict().reasons())
                    .hasSize(2)
                    .last()
                    .asString()
                    .matches("pair \\S+ - \\S+: the run that reads MPI's transport failed: .*7.*");
        } finally {
            cluster.run(asRoot("mv /usr/bin/NPmpich2.good /usr/bin/NPmpich2"), pair, cluster.loginUser())
                    .orThrow();
        }
        assertNothingRuns();
    }

    private static Command asRoot(String script) {
        return Command.shell(script).elevate();
    }

    /** Between two nodes there is no route; each still reaches all the others. */
    @Test
    void aPairWithoutARouteIsNamedAndStopsNoOther() {
        Node one = cluster.nodes().get(1);
        Node other = cluster.nodes().get(3);
        NodeNetwork.run(cluster, one.name(), "ip", "route", "add", "unreachable", other.address() + "/32");
        try {
            FabricReport report = FabricCheck.on(cluster)
                    .allPairs()
                    .withoutHostnames()
                    .pairLimit(Duration.ofSeconds(20))
                    .run(LIMIT);

            NodePair broken = new NodePair(one.name(), other.name());
            assertThat(report.pairs())
                    .filteredOn(pair -> !pair.measured())
                    .extracting(PairResult::pair)
                    .containsExactly(broken);
            assertThat(report.brokenNodes()).isEmpty();
            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.FAILED);
            assertThat(report.verdict().reasons())
                    .singleElement()
                    .asString()
                    .startsWith("pair " + broken + ": ")
                    .contains(other.name().toString());
            assertThat(report.succeeded()).isFalse();
            assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-033");
        } finally {
            NodeNetwork.run(cluster, one.name(), "ip", "route", "del", "unreachable", other.address() + "/32");
        }
        assertNothingRuns();
    }

    @ParameterizedTest
    @CsvSource({"MPICH, tcp/eth0", "OPEN_MPI, btl tcp"})
    void aClaimOfRdmaThatRunsOverTcpFails(MpiFlavour flavour, String name) {
        List<NodePair> pairs = List.of(new NodePair(names().get(0), names().get(1)));

        FabricReport report = FabricCheck.on(new Claiming(target, Interconnect.ROCE))
                .pairs(pairs)
                .installation(installed(flavour))
                .withoutHostnames()
                .run(LIMIT);

        assertThat(report.transport().kind()).isEqualTo(Transport.Kind.TCP);
        assertThat(report.transport().names()).containsExactly(name);
        assertThat(report.verdict().status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(report.verdict().reasons())
                .contains("MPI fell back to TCP (" + name + ") although these nodes report roce");
        assertThat(report.succeeded()).isFalse();
        assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-030");
    }

    @Test
    void aCheckThatHasNoTimeReportsWhatItDidNotMeasure() {
        FabricReport report = FabricCheck.on(cluster).ring().withoutHostnames().run(Duration.ofMillis(500));

        assertThat(report.pairs()).hasSize(4).allMatch(pair -> !pair.measured());
        assertThat(report.pairs().get(3).problem()).isEqualTo("not measured: the check reached its time limit");
        assertThat(report.succeeded()).isFalse();
    }

    private static void expectMeasured(PairResult pair) {
        assertThat(pair.measured()).as("%s", pair).isTrue();
        assertThat(pair.latencyMicros().orElseThrow()).isPositive();
        assertThat(pair.bytesPerSecond().orElseThrow()).isPositive();
    }

    private void assertNothingRuns() {
        String look = "ps -eo args | grep -E '[c]wjob-|[N]Pmpich2|[N]Popenmpi|[h]ydra_pmi|[o]rted' || true";
        cluster.run(Command.of("/bin/sh", "-c", look))
                .orThrow()
                .groupedByOutput()
                .keySet()
                .forEach(output -> assertThat(output).isEmpty());
    }

    private MpiInstallation installed(MpiFlavour flavour) {
        return MpiInstallation.on(target.session(names().get(0))).stream()
                .filter(mpi -> mpi.flavour() == flavour)
                .findFirst()
                .orElseThrow();
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }

    /**
     * The same nodes with another report of their network. The presets of RDMA make an MPI fail rather than fall back; an application that
     * sets these variables itself undoes that.
     */
    private record Claiming(NodeTarget wrapped, Interconnect interconnect) implements WrappedNodes {
        @Override
        public Claiming only(Collection<NodeName> names) {
            return new Claiming(wrapped.only(names), interconnect);
        }

        @Override
        public Map<String, String> environment() {
            return Map.of("UCX_TLS", "all", "OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader,tcp");
        }
    }
}
