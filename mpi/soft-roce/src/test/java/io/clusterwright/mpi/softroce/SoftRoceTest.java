package io.clusterwright.mpi.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.TransportCheck;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.internal.explain.Diagnoser;
import io.clusterwright.mpi.job.Diagnosis;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The transport check, the fabric check and the diagnosis of locked memory, on two nodes whose RDMA devices exchange real packets. */
@Tag("breadth")
@Timeout(600)
class SoftRoceTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /**
     * Open MPI over libfabric's verbs: UCX 1.13 and soft-RoCE do not get on, and its openib has no way to make such connections. The ranks
     * share one processor, so one that waits yields.
     */
    private static final Map<String, String> VERBS = Map.of(
            "OMPI_MCA_mpi_yield_when_idle",
            "1",
            "OMPI_MCA_pml",
            "cm",
            "OMPI_MCA_mtl",
            "ofi",
            "OMPI_MCA_mtl_ofi_provider_include",
            "verbs;ofi_rxm");

    private static final Map<String, String> TCP = Map.of("OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader,tcp");

    /** Waits until a server listens at the port that all these tools use, at most a good while. */
    private static final String LISTENS =
            "for i in $(seq 200); do ss -Htln sport = :18515 | grep -q . && exit; sleep 0.1; done; exit 1";

    @TempDir
    static Path folder;

    private static GuestMachines machines;
    private static ClusterManager manager;

    @BeforeAll
    static void boot() throws IOException {
        machines = new GuestMachines(folder);
        manager = ClusterManager.builder(ProviderMachines.of(machines))
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build();
    }

    @AfterAll
    static void end() {
        if (manager != null) {
            manager.close();
            machines.close();
            assertThat(machines.guest().ended()).isTrue();
        }
    }

    private static Cluster create(String name, MemlockRule... memlock) {
        ClusterSpec spec = ClusterSpec.builder(name)
                .region("local")
                .nodes(nodes -> nodes.count(2).prefix("roce").firstIndex(11).size("local"))
                .network(network -> network.addressSpace("10.32.0.0/16")
                        .subnet("Subnet-1", "10.32.0.0/24")
                        .firstAddress("10.32.0.11"))
                .image(image -> image.capture(false).customize(customize -> customize.memlock(memlock)))
                .mpi(mpi -> mpi.env(VERBS))
                .build();
        Plan plan = manager.plan(spec);
        assertThat(plan.isFeasible()).as("%s", plan.findings()).isTrue();
        List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());
        Cluster cluster = manager.create(plan, CreateOptions.standard().listener(events::add));
        List<CheckReport> checks = events.stream()
                .filter(ClusterEvent.Checked.class::isInstance)
                .map(event -> ((ClusterEvent.Checked) event).report())
                .toList();
        assertThat(checks)
                .as("what the library proves by itself")
                .extracting(CheckReport::check)
                .isEqualTo(memlock.length == 0 ? List.of() : List.of("memlock"));
        assertThat(checks)
                .allSatisfy(check -> assertThat(check.status()).as("%s", check).isEqualTo(CheckReport.Status.PASSED));
        assertThat(cluster.interconnect()).isEqualTo(Interconnect.ROCE);
        return cluster;
    }

    private static void destroy(Cluster cluster) {
        cluster.close();
        assertThat(manager.destroy(cluster.name()).left()).isEmpty();
        assertThat(machines.nodes()).isEmpty();
    }

    private static CommandResult run(Cluster cluster, int node, String... command) {
        NodeName name = cluster.nodes().get(node).name();
        Command limited = Command.of(List.of(command)).timeout(Duration.ofMinutes(1));
        return cluster.session(name, cluster.mpiUser()).run(limited);
    }

    /** As these tools are used by hand: a server on the second node, then a client on the first. */
    private static CommandResult throughServer(Cluster cluster, String tool, String... arguments) {
        List<String> server = new ArrayList<>(List.of(tool, "-d", "rxe2"));
        server.addAll(List.of(arguments));
        List<String> client = new ArrayList<>(List.of(tool, "-d", "rxe1"));
        client.addAll(List.of(arguments));
        client.add(cluster.nodes().get(1).address().toString());
        NodeSession session = cluster.session(cluster.nodes().get(1).name(), cluster.mpiUser());
        RunningCommand listening = session.start(Command.of(server), (stream, bytes, length) -> {});
        try {
            run(cluster, 1, "sh", "-c", LISTENS).orThrow();
            return run(cluster, 0, client.toArray(String[]::new));
        } finally {
            listening.cancel(Duration.ofSeconds(2));
            listening.close();
        }
    }

    private static TransportCheck transportCheck(Cluster cluster) {
        NodeTarget target = NodeTarget.of(JobTarget.of(cluster));
        List<Node> nodes = cluster.nodes();
        return TransportCheck.between(target, nodes.get(0).name(), nodes.get(1).name())
                .installation(openMpi(target));
    }

    private static MpiInstallation openMpi(NodeTarget target) {
        return MpiInstallation.on(target.session(target.nodes().get(0).name())).stream()
                .filter(mpi -> mpi.flavour() == MpiFlavour.OPEN_MPI)
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> packetsSent(Cluster cluster) {
        return cluster.nodes().stream()
                .map(node -> machines.packetsSent(node.name()))
                .toList();
    }

    private static void expectMemlockNamed(CommandResult failed, String text) {
        String output = failed.stdout() + failed.stderr();
        assertThat(failed.exitStatus()).as(output).isNotZero();
        assertThat(output).contains(text);
        List<Diagnosis> diagnoses = Diagnoser.diagnose(output);
        assertThat(diagnoses).as(output).extracting(Diagnosis::code).containsExactly("CW-DIAG-302");
        assertThat(diagnoses.get(0).remedy()).contains("raise memlock to unlimited");
    }

    /** As machines come: an ordinary user may lock 64 KiB. */
    @Nested
    class Before {
        private static Cluster cluster;

        @BeforeAll
        @Timeout(600)
        static void make() {
            cluster = create("tight");
        }

        @AfterAll
        static void remove() {
            destroy(cluster);
        }

        @Test
        void explainsVerbsToolsThatMayNotLockMemory() {
            assertThat(run(cluster, 0, "sh", "-c", "ulimit -l").stdout()).isEqualTo("64\n");

            expectMemlockNamed(
                    run(cluster, 0, "ibv_rc_pingpong", "-d", "rxe1", "-g", "1", "-s", "1048576"),
                    "Couldn't register MR");
            expectMemlockNamed(throughServer(cluster, "ib_write_bw", "-x", "1", "-n", "100"), "Couldn't allocate MR");
        }

        /** It opens its device and names it, and fails with the first message. */
        @Test
        void doesNotPassAnMpiThatMayNotLockMemory() {
            TransportCheck.Report report = transportCheck(cluster).run(LIMIT);

            assertThat(report.result().succeeded()).isFalse();
            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.NOT_JUDGED);
            assertThat(report.verdict().reasons().get(0)).endsWith("and failed before a message had crossed it");
        }
    }

    /** The same machines after the library has raised the limit. */
    @Nested
    class After {
        private static Cluster cluster;

        @BeforeAll
        @Timeout(600)
        static void make() {
            cluster = create("ample", MemlockRule.of("*", "unlimited"));
        }

        @AfterAll
        static void remove() {
            destroy(cluster);
        }

        @Test
        void verbsToolsRunBetweenTheNodes() {
            for (int node = 0; node < 2; node++) {
                assertThat(run(cluster, node, "sh", "-c", "ulimit -Hl; ulimit -l")
                                .stdout())
                        .isEqualTo("unlimited\nunlimited\n");
            }

            CommandResult pingPong = throughServer(cluster, "ibv_rc_pingpong", "-g", "1", "-s", "1048576", "-n", "5");
            assertThat(pingPong.succeeded()).as("%s", pingPong).isTrue();
            assertThat(pingPong.stdout()).contains("5 iters in");

            CommandResult bandwidth = writeBandwidth();
            for (int run = 1; run < 5 && couldNotReadItsClock(bandwidth); run++) {
                bandwidth = writeBandwidth();
            }
            assertThat(bandwidth.succeeded()).as("%s", bandwidth).isTrue();
        }

        private static CommandResult writeBandwidth() {
            return throughServer(cluster, "ib_write_bw", "-x", "1", "-n", "100");
        }

        /** Whether perftest gave no report because the processor was too busy to measure its clock, and for no other reason. */
        private static boolean couldNotReadItsClock(CommandResult result) {
            List<Diagnosis> diagnoses = Diagnoser.diagnose(result.stdout() + result.stderr());
            return !result.succeeded()
                    && !diagnoses.isEmpty()
                    && diagnoses.stream().allMatch(diagnosis -> diagnosis.code().equals("CW-DIAG-517"));
        }

        @Test
        void passesOverVerbs() {
            List<Long> before = packetsSent(cluster);

            TransportCheck.Report report = transportCheck(cluster).run(LIMIT);

            assertThat(report.transport().kind()).isEqualTo(Transport.Kind.RDMA);
            assertThat(report.transport().names()).containsExactlyInAnyOrder("ofi rxe1", "ofi rxe2");
            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.PASSED);
            assertThat(report.result().succeeded()).isTrue();
            List<Long> after = packetsSent(cluster);
            assertThat(after.get(0)).isGreaterThan(before.get(0));
            assertThat(after.get(1)).isGreaterThan(before.get(1));
        }

        @Test
        void failsOverTcp() {
            List<Long> before = packetsSent(cluster);
            TransportCheck check = transportCheck(cluster);
            for (Map.Entry<String, String> variable : TCP.entrySet()) {
                check = check.environment(variable.getKey(), variable.getValue());
            }

            TransportCheck.Report report = check.run(LIMIT);

            assertThat(report.result().succeeded()).isTrue();
            assertThat(report.transport().kind()).isEqualTo(Transport.Kind.TCP);
            assertThat(report.verdict())
                    .isEqualTo(new Verdict(
                            Verdict.Status.FAILED,
                            List.of("MPI fell back to TCP (btl tcp) although these nodes report roce")));
            assertThat(packetsSent(cluster)).isEqualTo(before);
        }

        @Test
        void measuresThePairOverVerbs() {
            boolean soak = Boolean.getBoolean("clusterwright.soak");
            FabricCheck check = FabricCheck.on(cluster)
                    .firstPair()
                    .installation(openMpi(NodeTarget.of(JobTarget.of(cluster))))
                    .pairLimit(LIMIT)
                    .envelope(new FabricEnvelope(1e6, 8, "an emulated processor", 0, "nothing is published"));
            FabricReport report = (soak ? check : check.withoutHostnames()).run(LIMIT);

            assertThat(report.hostnames().map(HostnameCheck.Report::succeeded))
                    .isEqualTo(soak ? Optional.of(true) : Optional.empty());
            assertThat(report.transport().kind()).isEqualTo(Transport.Kind.RDMA);
            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.PASSED);
            assertThat(report.succeeded()).isTrue();
            assertThat(report.findings()).extracting(Finding::code).doesNotContain("CW-MPI-030", "CW-MPI-031");
        }
    }
}
