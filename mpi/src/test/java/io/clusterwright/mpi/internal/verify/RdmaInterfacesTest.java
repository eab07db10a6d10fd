package io.clusterwright.mpi.internal.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.linux.junit.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interfaces of real nodes, and those of nodes with RDMA by the answers they would give. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(120)
class RdmaInterfacesTest {
    private static final AddressRange NETWORK = AddressRange.of("10.32.0.0/16");
    private static final String HEALTHY = "eth0 1 10.32.0.11/24\neth1 1 172.16.1.5/16\nib0 32\nlo 772 127.0.0.1/8\n";

    private final Cluster cluster;

    RdmaInterfacesTest(Cluster cluster) {
        this.cluster = cluster;
    }

    private static List<String> problems(String text) {
        return RdmaInterfaces.problems(text, NETWORK);
    }

    @Test
    void acceptsNodesWhoseDriverOwnsEth1() {
        assertThat(problems(HEALTHY)).isEmpty();
    }

    @Test
    void refusesIpOverInfiniBand() {
        assertThat(problems(HEALTHY.replace("ib0 32", "ib0 32 192.168.4.1/24")))
                .containsExactly(
                        "ib0 has the address 192.168.4.1/24, and IP over InfiniBand is not supported: remove it"
                                + " from the network's configuration");
    }

    @Test
    void refusesTheClustersNetworkOnEth1() {
        assertThat(problems(HEALTHY.replace("172.16.1.5/16", "10.32.0.12/24")))
                .containsExactly("eth1 has the address 10.32.0.12/24 of the cluster's network 10.32.0.0/16, and is"
                        + " reserved for RDMA: leave its configuration as the image has it");
    }

    @Test
    void readsTheInterfacesOfRealNodes() {
        RdmaInterfaces.Report report = RdmaInterfaces.of(cluster);

        assertThat(report.problems())
                .singleElement()
                .asString()
                .endsWith(
                        ": there is no eth1, the interface of the RDMA network of this size: write image: {base: auto},"
                                + " whose image has the driver of the network, and create the cluster again");
        assertThat(new ClusterChecks.OfInterfaces().run(cluster, line -> {}).status())
                .isEqualTo(CheckReport.Status.FAILED);
        assertThat(new ClusterChecks.OfInterfaces().wantedOn(cluster))
                .as("local nodes have no RDMA network")
                .isFalse();
    }

    @Test
    void namesTheRealNodeWhoseEth1HasAnAddressOfTheCluster() throws IOException, InterruptedException {
        Node node = cluster.nodes().get(1);
        String address = cluster.spec().network().subnet().range().address(99).toString();
        inNetworkOf(node, "link", "add", "eth1", "type", "veth", "peer", "name", "peer1");
        inNetworkOf(node, "addr", "add", address + "/32", "dev", "eth1");
        try {
            CheckReport report = new ClusterChecks.OfInterfaces().run(cluster, line -> {});

            assertThat(report.status()).isEqualTo(CheckReport.Status.FAILED);
            assertThat(report.details())
                    .hasSize(2)
                    .anySatisfy(detail ->
                            assertThat(detail).startsWith(cluster.nodes().get(0).name() + ": there is no eth1"))
                    .anySatisfy(detail -> assertThat(detail)
                            .startsWith(node.name() + ": eth1 has the address " + address
                                    + "/32 of the cluster's network"));
        } finally {
            inNetworkOf(node, "link", "delete", "eth1");
        }
    }

    /** Runs ip in the network of a node, from this machine: nodes may not change their interfaces. */
    private void inNetworkOf(Node node, String... words) throws IOException, InterruptedException {
        String network = cluster.session(node.name())
                .run(Command.of("readlink", "/proc/self/ns/net"))
                .stdout()
                .strip();
        long pid = ProcessHandle.allProcesses()
                .filter(process -> network.equals(networkOf(process)))
                .findFirst()
                .orElseThrow()
                .pid();
        List<String> command = new ArrayList<>(List.of("nsenter", "-t", Long.toString(pid), "-n", "ip"));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as("%s", command)
                .isZero();
    }

    private static String networkOf(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "ns", "net"))
                    .toString();
        } catch (IOException e) {
            return "ended";
        }
    }
}
