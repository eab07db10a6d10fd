package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.OpenApiDocuments;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of Azure for a machine with Windows, held against Microsoft's descriptions. */
class WindowsMachineTest {
    private static final String PASSWORD = "Not-a-real-1-password";

    @TempDir
    private Path recordings;

    private final FirstContact backend = new FirstContact();

    private static ClusterSpec spec() {
        return ClusterSpec.builder("win")
                .region("westeurope")
                .operatingSystem(OperatingSystem.WINDOWS)
                .nodes(n -> n.count(1).firstIndex(11).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.57.0.0/16")
                        .subnet("Subnet-1", "10.57.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest"))
                .build();
    }

    @Test
    void aMachineHasAPasswordAnAgentAndNoKeys() throws IOException {
        ClusterSpec spec = spec();
        NodeName node = new NodeName("win11");
        Bootstrap bootstrap = new Bootstrap(
                node,
                spec.login().user(),
                List.of(backend.newKeyPair("user").publicKey().toString()),
                backend.newKeyPair("win11"),
                Secret.of(PASSWORD));
        List<MachineOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        try (ArmEmulator emulator = ArmEmulator.builder().recordTo(recordings).start()) {
            AzureProvider azure = ScaleSetFixture.connect(emulator, backend);
            azure.createNetwork(spec, new Silent());
            azure.createMachines(
                    spec,
                    List.of(new MachineRequest(
                            node,
                            spec.network().subnet().range().address(11),
                            spec.nodes().requireSize(),
                            new ImageSource.Base(spec.image().base()),
                            bootstrap)),
                    new Silent(),
                    outcomes::add);
        }
        assertThat(outcomes).hasSize(1).allMatch(MachineOutcome.Made.class::isInstance);
        JsonNode profile = checked().at("/request/body/properties/osProfile");
        assertThat(profile.toString())
                .isEqualTo("{\"computerName\":\"win11\",\"adminUsername\":\"azureuser\",\"adminPassword\":\"***\","
                        + "\"windowsConfiguration\":{\"provisionVMAgent\":true,\"enableAutomaticUpdates\":false}}");
    }

    /** The request that made the machine; all of them, and all answers, are as they are described. */
    private JsonNode checked() throws IOException {
        OpenApiDocuments documents = new OpenApiDocuments();
        Set<String> newer = new TreeSet<>();
        JsonNode machine = null;
        try (Stream<Path> files = Files.list(recordings)) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file);
                assertThat(text).as(file.toString()).doesNotContain(PASSWORD);
                JsonNode recording = new ObjectMapper().readTree(text);
                assertThat(documents.check(recording, newer).orElse(List.of())).isEmpty();
                if (recording.at("/request/path").asText().endsWith("/virtualMachines/win11")
                        && recording.at("/request/method").asText().equals("PUT")) {
                    machine = recording;
                }
            }
        }
        assertThat(machine).isNotNull();
        return machine;
    }

    private static final class Silent implements ResourceLog {
        @Override
        public ClusterId cluster() {
            return new ClusterId(new ClusterName("win"), "00000000000000bb");
        }

        @Override
        public void creating(ResourceId resource) {}

        @Override
        public void created(ResourceId resource) {}

        @Override
        public void deleted(ResourceId resource) {}
    }
}
