package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster that the script of the Linux article makes: its network, names, ports and placement, and the update of its driver. */
class LinuxArticleOnAzureTest {
    private static final Path ARTICLE = Path.of("../examples/specs/linux-article.yaml");

    /** In place of Intel MPI, whose packages the image of the article has. */
    private static final MpiInstall MPICH = MpiInstall.builder()
            .flavour(MpiFlavour.MPICH)
            .install(MpiSource.distribution())
            .build();

    private static ClusterSpec article() {
        return SpecReader.read(ARTICLE).toBuilder()
                .resourceGroup("cluster-rg")
                .network(network -> network.ssh(ssh -> ssh.addAllowFrom("203.0.113.0/24")))
                .build();
    }

    @Test
    void makesTheNetworkNodesAndPortsOfTheScript() {
        ClusterSpec spec = article();
        AzureFixture.Log log = new AzureFixture.Log();
        try (TestAzure server = new TestAzure(emulator -> emulator.retiredSizes(true));
                AzureProvider azure = AzureFixture.machines(server)) {
            azure.createNetwork(spec, log);
            Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

            JsonNode network = server.network("virtualNetworks/cluster-vnet").path("properties");
            assertThat(network.at("/addressSpace/addressPrefixes/0").asText()).isEqualTo("10.32.0.0/16");
            assertThat(network.at("/subnets/0/name").asText()).isEqualTo("Subnet-1");
            List<String> nodes = List.of(
                    "cluster11",
                    "cluster12",
                    "cluster13",
                    "cluster14",
                    "cluster15",
                    "cluster16",
                    "cluster17",
                    "cluster18");
            assertThat(outcomes.keySet()).extracting(NodeName::value).containsExactlyInAnyOrderElementsOf(nodes);
            List<Integer> ports = List.of(10111, 10112, 10113, 10114, 10115, 10116, 10117, 10118);
            for (int i = 0; i < nodes.size(); i++) {
                NodeName node = NodeName.of(nodes.get(i));
                assertThat(outcomes.get(node))
                        .isInstanceOfSatisfying(
                                MachineOutcome.Made.class,
                                made -> assertThat(azure.endpoint(AzureFixture.ID, made.machine())
                                                .port())
                                        .as("external port of " + node)
                                        .isEqualTo(ports.get(nodes.indexOf(node.value()))));
                JsonNode machine = server.compute("virtualMachines/" + node).path("properties");
                assertThat(machine.at("/hardwareProfile/vmSize").asText()).isEqualTo("Standard_A9");
                assertThat(machine.at("/availabilitySet/id").asText())
                        .as("one placement, for the RDMA network")
                        .endsWith("/cluster-avset");
                assertThat(server.network("networkInterfaces/" + node + "-nic")
                                .at("/properties/ipConfigurations/0/properties/privateIPAddress")
                                .asText())
                        .isEqualTo("10.32.0." + (11 + i));
            }
        }
    }

    @Test
    void aRegionThatDoesNotOfferTheSizeIsRefusedBeforeAnythingIsMade() {
        try (TestAzure today = new TestAzure();
                AzureProvider azure = AzureFixture.machines(today)) {
            Finding finding = AzureFixture.finding(azure, article(), "CW-AZURE-001");

            assertThat(finding.message()).isEqualTo("westus does not offer the size Standard_A9");
            assertThat(finding.remedy()).startsWith("choose another size or region");
            assertThat(today.writes()).isZero();
        }
    }

    /** A zypper that works on a node when the extension is due, and a real restart of the node. */
    @Test
    @Tag("breadth")
    void theDriverIsUpdatedAfterZypperEndsAndTheNodeRestarts(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("update.sh"), """
                #!/bin/sh
                printf '#!/bin/sh\\necho $$ >/run/zypp.pid; sleep 3; cat /proc/uptime >/etc/zypper-ended; rm /run/zypp.pid\\n' \\
                    >/usr/local/bin/zypper
                chmod 755 /usr/local/bin/zypper
                setsid zypper update </dev/null >/dev/null 2>&1 &
                until [ -s /run/zypp.pid ]; do sleep 0.1; done
                """);
        ClusterSpec spec = AzureFixture.builder(1)
                .region("eastus")
                .nodes(nodes -> nodes.size("Standard_A9").deadline(Duration.ofSeconds(60)))
                .network(network -> network.addressSpace("10.89.0.0/16")
                        .subnet("Subnet-1", "10.89.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(image -> image.base("SUSE:SLES-HPC:12:latest")
                        .capture(false)
                        .customize(c -> c.mpi(MPICH)
                                .addScript(Script.of("update", "update.sh").sudo(true))))
                .verify(verify -> verify.hostname(false))
                .build()
                .toBuilder()
                .baseFolder(folder)
                .build();
        LocalMachines local = AzureFixture.local(folder);
        List<String> progress = new CopyOnWriteArrayList<>();
        try (TestAzure server =
                        new TestAzure(emulator -> emulator.retiredSizes(true).machinesBackedBy(local.host()));
                AzureProvider azure =
                        AzureFixture.open(AzureFixture.real(server).build());
                ClusterManager manager = AzureFixture.manager(ProviderMachines.of(azure), folder)) {
            CreateOptions options = CreateOptions.standard().listener(event -> {
                if (event instanceof ClusterEvent.StepProgress told) {
                    progress.add(told.line());
                }
            });
            try (Cluster cluster = manager.create(spec, options)) {
                assertThat(progress)
                        .anyMatch(line -> line.matches(
                                "cluster11: waiting for process \\d+ \\(.*zypper update\\) holds /run/zypp\\.pid"));
                JsonNode update = server.compute("virtualMachines/cluster11/extensions/RDMAUpdateForLinux");
                assertThat(update.at("/properties/publisher").asText()).isEqualTo("Microsoft.OSTCExtensions");
                assertThat(update.at("/properties/typeHandlerVersion").asText()).isEqualTo("0.1");
                String times = cluster.session(NodeName.of("cluster11"))
                        .run(Command.shell("cut -d ' ' -f 1 /etc/zypper-ended; awk '{print $22 / 100}' /proc/1/stat"))
                        .orThrow()
                        .stdout();
                assertThat(times.lines().map(Double::valueOf))
                        .as("seconds of the end of zypper, and of the start of the node")
                        .isSorted();
            }
            assertThat(manager.destroy(spec.name()).left()).isEmpty();
        }
    }
}
