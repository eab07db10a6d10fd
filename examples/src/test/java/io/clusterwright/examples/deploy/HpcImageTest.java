package io.clusterwright.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.fabric.PairResult;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MPI jobs on four nodes that boot the HPC image of their size. Needs root. */
@Tag("breadth")
@EmulatedAzure(machines = EmulatedAzure.Machines.LOCAL_NODES, setup = HpcImageTest.Quota.class)
class HpcImageTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> PING_PONG =
            List.of("NPopenmpi", "-p", "0", "-u", "8", "-n", "1", "-o", "/dev/null");

    private static final List<String> PRINT_DEVICES = List.of("sh", "-c", "echo $(hostname) $UCX_NET_DEVICES");

    private static @Nullable Cluster cluster;

    @BeforeAll
    static void create(ClusterManager manager) {
        cluster = manager.create(ClusterSpec.builder("hpc-image")
                .region("westeurope")
                .nodes(n -> n.count(4).prefix("hpcimage").firstIndex(1).size("Standard_HB368rs_v5"))
                .network(n -> n.addressSpace("10.86.0.0/24").subnet("test", "10.86.0.0/24"))
                .image(image -> image.capture(false))
                .scheduler(Scheduler.SLURM)
                .build());
    }

    @AfterAll
    static void close(ClusterManager manager) {
        cluster().close();
        assertThat(manager.destroy(cluster().name()).left()).isEmpty();
    }

    private static Cluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    @Test
    void takesTheHpcXOfTheImageWithTheVariablesThatItsScriptSets() {
        List<MpiInstallation> found = MpiInstallation.on(cluster().session(NodeName.of("hpcimage1")));

        assertThat(found)
                .extracting(MpiInstallation::toString)
                .containsExactly("HPC-X 4.1.4", "Intel MPI 2021.16", "MVAPICH 4.0");
        assertThat(found.get(0).environment().get("OPAL_PREFIX")).matches("/opt/hpcx-v.*/ompi");
        assertThat(found.get(1).environment()).containsEntry("I_MPI_ROOT", "/opt/intel/oneapi/mpi/2021.16");
        assertThat(found.get(2).environment()).containsEntry("MPI_HOME", "/opt/mvapich-4.0");
    }

    @Test
    void runsAProgramOfHpcXOverSshAndBySlurm() {
        for (JobTarget target : List.of(JobTarget.of(cluster()), JobTarget.scheduled(cluster()))) {
            JobResult hostnames =
                    MpiJob.of("hostname").ranksPerNode(1).on(target).run(LIMIT).orThrow();
            assertThat(hostnames.outputTail())
                    .extracting(OutputLine::text)
                    .contains("hpcimage1", "hpcimage2", "hpcimage3", "hpcimage4");
            JobResult messages = MpiJob.of(PING_PONG)
                    .ranksPerNode(1)
                    .on(target.only(List.of(NodeName.of("hpcimage2"), NodeName.of("hpcimage4"))))
                    .run(LIMIT)
                    .orThrow();
            assertThat(messages.outputTail()).extracting(OutputLine::text).anyMatch(line -> line.contains("8 bytes"));
        }
    }

    /** Below their names, both are MPICH 4.0, which may wait for ever in MPI_Finalize: what it printed before counts. */
    @ParameterizedTest
    @EnumSource(names = {"INTEL_MPI", "MVAPICH2"})
    void runsProgramsOfTheOtherMpisOfTheImage(MpiFlavour flavour) {
        JobResult result = MpiJob.of("NPmpich2", "-p", "0", "-u", "8", "-n", "1", "-o", "/dev/null")
                .flavour(flavour)
                .ranksPerNode(1)
                .on(JobTarget.of(cluster()).only(List.of(NodeName.of("hpcimage1"), NodeName.of("hpcimage3"))))
                .run(Duration.ofMinutes(1));

        if (result.outcome() != JobResult.Outcome.TIMED_OUT && result.outcome() != JobResult.Outcome.HUNG) {
            result.orThrow();
        }
        assertThat(result.outputTail()).extracting(OutputLine::text).anyMatch(line -> line.contains("8 bytes"));
    }

    @Test
    void aFabricCheckMeasuresItsPairsWithIt() {
        FabricReport report = FabricCheck.on(JobTarget.of(cluster())).run(LIMIT);

        assertThat(report.pairs()).hasSize(4).allMatch(PairResult::measured);
        assertThat(report.hostnames().orElseThrow().result().mpi()).hasToString("HPC-X 4.1.4");
    }

    @Test
    void withoutTheEnvironmentAJobFailsAndAFindingExplainsWhy() {
        JobResult result = MpiJob.of("hostname")
                .withoutMpiEnvironment()
                .on(JobTarget.of(cluster()))
                .run(LIMIT);

        assertThat(result.succeeded()).isFalse();
        assertThat(result.findings())
                .as(result.outputTail().toString())
                .extracting(Finding::code)
                .contains("CW-DIAG-219");
        assertThat(result.findings())
                .extracting(Finding::message)
                .anyMatch(message -> message.contains("it was moved after its build"));
    }

    @Test
    void withoutTheEnvironmentAFabricCheckMeasuresNothingAndAFindingExplainsWhy() {
        MpiInstallation hpcX =
                MpiInstallation.on(cluster().session(NodeName.of("hpcimage1"))).get(0);

        FabricReport report = FabricCheck.on(
                        JobTarget.of(cluster()).only(List.of(NodeName.of("hpcimage1"), NodeName.of("hpcimage2"))))
                .installation(hpcX.withoutEnvironment())
                .run(LIMIT);

        assertThat(report.verdict().succeeded()).isFalse();
        assertThat(report.pairs()).noneMatch(PairResult::measured);
        assertThat(report.findings()).extracting(Finding::code).contains("CW-DIAG-219");
    }

    @Test
    void withoutTheEnvironmentRanksOfSlurmFailAndAFindingExplainsWhy() {
        JobTarget slurm =
                JobTarget.scheduled(cluster()).only(List.of(NodeName.of("hpcimage2"), NodeName.of("hpcimage4")));
        MpiJob job = MpiJob.of(PING_PONG).ranksPerNode(1).withoutMpiEnvironment();
        String folder = MpiInstallation.on(cluster().session(NodeName.of("hpcimage1")))
                .get(0)
                .folder();

        JobResult withoutLibrary = job.on(slurm).run(LIMIT);
        JobResult withLibrary =
                job.environment("LD_LIBRARY_PATH", folder + "/../lib").on(slurm).run(LIMIT);

        assertThat(withoutLibrary.succeeded()).isFalse();
        assertThat(withoutLibrary.findings())
                .extracting(Finding::code, Finding::message)
                .contains(tuple("CW-DIAG-208", "the library libmpi.so.40 is not on a node, or not on its search path"));
        assertThat(withLibrary.succeeded()).isFalse();
        assertThat(withLibrary.findings())
                .as(withLibrary.outputTail().toString())
                .extracting(Finding::code)
                .contains("CW-DIAG-219");
    }

    @Test
    void eachRankGetsTheInfiniBandDevicesOfItsNodeAndNotTheEthernetOneBesideThem() {
        assertThat(devices(MpiJob.of(PRINT_DEVICES)))
                .allMatch(line -> line.matches("hpcimage. mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1"
                        + "|hpcimage. mlx5_ib0:1,mlx5_ib1:1,mlx5_ib2:1,mlx5_ib3:1"))
                .anyMatch(line -> line.contains("mlx5_0:1"))
                .anyMatch(line -> line.contains("mlx5_ib0:1"));
    }

    /** The names of every second node begin with another adapter than its PCI addresses do. */
    @Test
    void overOneRailEachRankGetsThePortOfItsNodeInTheOrderOfPciAddresses() {
        for (JobTarget target : List.of(JobTarget.of(cluster()), JobTarget.scheduled(cluster()))) {
            assertThat(devices(MpiJob.of(PRINT_DEVICES).environment("CW_RAIL", "2"), target))
                    .allMatch(line -> line.matches("hpcimage. mlx5_(1|ib0):1"))
                    .anyMatch(line -> line.endsWith("mlx5_1:1"))
                    .anyMatch(line -> line.endsWith("mlx5_ib0:1"));
        }
    }

    private static List<String> devices(MpiJob job) {
        return devices(job, JobTarget.of(cluster()));
    }

    private static List<String> devices(MpiJob job, JobTarget target) {
        JobResult result = job.ranksPerNode(1)
                .on(new OnInfiniBand(NodeTarget.of(target), Map.of()))
                .run(LIMIT)
                .orThrow();
        List<String> lines = result.outputTail().stream()
                .map(OutputLine::text)
                .filter(line -> line.startsWith("hpcimage"))
                .toList();
        assertThat(lines).hasSize(4);
        return lines;
    }

    @Test
    void aFabricCheckMeasuresAPairOverEachRailAndNamesADeadPort() {
        NodeSession session = cluster().session(NodeName.of("hpcimage2"));
        String state = "/sys/class/infiniband/*3/ports/1/state";
        Map<String, String> overTcp = Map.of("OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader,tcp");
        session.run(Command.shell("echo '1: DOWN' | tee " + state).elevate()).orThrow();
        FabricReport report;
        try {
            report = FabricCheck.on(new OnInfiniBand(NodeTarget.of(JobTarget.of(cluster())), overTcp))
                    .firstPair()
                    .withoutHostnames()
                    .run(LIMIT);
        } finally {
            session.run(Command.shell("echo '4: ACTIVE' | tee " + state).elevate())
                    .orThrow();
        }

        assertThat(report.pairs()).hasSize(4);
        assertThat(report.pairs()).filteredOn(PairResult::measured).hasSize(3);
        assertThat(report.brokenRails())
                .singleElement()
                .asString()
                .matches("rail (4 \\(mlx5_3|1 \\(mlx5_ib3):1\\) of node hpcimage2");
        assertThat(report.pairs().get(1).rails())
                .extracting(Rail::device)
                .containsExactlyInAnyOrder("mlx5_1:1", "mlx5_ib0:1");
        assertThat(report.verdict().reasons())
                .anyMatch(reason -> reason.endsWith("carries no messages: the state of its port is DOWN"))
                .anyMatch(reason -> reason.startsWith("MPI fell back to TCP"));
        assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-037", "CW-MPI-030");
    }

    static final class Quota implements EmulatedAzure.Setup {
        @Override
        public void set(ArmEmulator.Builder emulator) {
            emulator.putFamilyLimit("standardHBv5Family", 4 * 368);
        }
    }

    /** The nodes, taken for such with the network of their size. */
    private record OnInfiniBand(NodeTarget real, Map<String, String> environment) implements NodeTarget {
        @Override
        public List<LaunchNode> nodes() {
            return real.nodes();
        }

        @Override
        public Optional<Launcher> launcher() {
            return real.launcher();
        }

        @Override
        public NodeSession session(NodeName node) {
            return real.session(node);
        }

        @Override
        public Interconnect interconnect() {
            return Interconnect.SRIOV_INFINIBAND;
        }

        @Override
        public boolean sharesOneMachine() {
            return real.sharesOneMachine();
        }

        @Override
        public NodeTarget only(Collection<NodeName> names) {
            return new OnInfiniBand(real.only(names), environment);
        }
    }
}
