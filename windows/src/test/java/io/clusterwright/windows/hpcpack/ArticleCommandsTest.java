package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.pingpong.PingPongJobs;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The commands of the article "Set up a Windows RDMA cluster with HPC Pack to run MPI applications", to the letter. */
class ArticleCommandsTest {
    private static final String START =
            "name: hpc1\nregion: westus\noperatingSystem: windows\n" + "nodes: {count: 4, size: Standard_A8}\n";
    private static final String IAAS = START + "hpcPack: {scenario: iaas, nodeGroup: vmcomputenodes}\n";
    private static final String BURST = START
            + "hpcPack: {scenario: burst, burst: {cloudService: s, storageAccount: store, nodeGroup: azurenodes}}\n";

    private static PingPongJobs jobs(String spec) {
        return jobs(spec, Interconnect.NETWORK_DIRECT);
    }

    private static PingPongJobs jobs(String text, Interconnect network) {
        ClusterSpec spec = SpecReader.read(text, "spec.yaml");
        return PingPongJobs.of(spec, network);
    }

    @Test
    void latencyOfABurst() {
        assertThat(JobClient.submitCommand(jobs(BURST).latency()))
                .isEqualTo("job submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity"
                        + " mpipingpong -p 1:100000 -op -s nul");
    }

    @Test
    void latencyOfVirtualMachines() {
        assertThat(JobClient.submitCommand(jobs(IAAS).latency()))
                .isEqualTo("job submit /nodegroup:vmcomputenodes /numnodes:4 mpiexec -c 1 -affinity"
                        + " -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all -env MPICH_NETMASK 172.16.0.0/255.255.0.0"
                        + " mpipingpong -p 1:100000 -op -s nul");
    }

    @Test
    void throughputOfABurst() {
        assertThat(JobClient.submitCommand(jobs(BURST).throughput()))
                .isEqualTo("job submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity"
                        + " mpipingpong -p 4000000:1000 -op -s nul");
    }

    @Test
    void throughputOfVirtualMachines() {
        assertThat(JobClient.submitCommand(jobs(IAAS).throughput()))
                .isEqualTo("job submit /nodegroup:vmcomputenodes /numnodes:4 mpiexec -c 1 -affinity"
                        + " -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all -env MPICH_NETMASK 172.16.0.0/255.255.0.0"
                        + " mpipingpong -p 4000000:1000 -op -s nul");
    }

    @Nested
    class Defaults {
        @Test
        void burstUsesAzureNodesWithoutVariables() {
            PingPongJobs jobs = jobs(BURST.replace(", nodeGroup: azurenodes", "") + "mpi: {netmask: 10.0.0.0/8}\n");
            assertThat(jobs.nodeGroup()).isEqualTo("AzureNodes");
            assertThat(JobClient.submitCommand(jobs.latency())).doesNotContain("-env");
        }

        @Test
        void netmaskOfTheSpecWins() {
            assertThat(jobs(IAAS + "mpi: {netmask: 10.1.0.0/16, env: {MSMPI_CONNECTIVITY_TABLE: '1'}}\n")
                            .environment())
                    .containsEntry("MPICH_NETMASK", "10.1.0.0/16")
                    .containsEntry("MSMPI_CONNECTIVITY_TABLE", "1");
        }

        @Test
        void sriovSizesHaveNoFixedNetwork() {
            assertThat(jobs(IAAS, Interconnect.SRIOV_INFINIBAND).environment())
                    .containsOnlyKeys("MSMPI_DISABLE_SOCK", "MSMPI_PRECONNECT");
        }

        @Test
        void sizesWithoutRdmaKeepTheirSockets() {
            assertThat(jobs(IAAS, Interconnect.NONE).environment()).doesNotContainKey("MSMPI_DISABLE_SOCK");
        }

        @Test
        void refusesAnotherMpi() {
            assertThatThrownBy(() -> jobs(IAAS + "mpi: {preset: open-mpi/ucx}\n"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("auto or a preset of ms-mpi");
        }
    }

    @Test
    void writesBothTestsToOneJobFile() {
        HpcPackJob job = jobs(IAAS).both("ping-pong");

        assertThat(job.properties())
                .containsEntry("NodeGroups", "vmcomputenodes")
                .containsEntry("MinNodes", "4");
        assertThat(job.tasks())
                .extracting(task -> task.properties().get("Name"))
                .containsExactly("latency", "throughput");
        assertThat(job.tasks().get(1).properties())
                .containsEntry("DependsOn", "latency")
                .containsEntry("IsRerunnable", "false");
        assertThat(List.of("job submit /nodegroup:vmcomputenodes /numnodes:4 "
                        + job.tasks().get(0).properties().get("CommandLine")))
                .containsExactly(JobClient.submitCommand(jobs(IAAS).latency()));
    }
}
