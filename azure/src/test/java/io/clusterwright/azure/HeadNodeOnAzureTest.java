package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A head node outside of the group of the nodes. */
class HeadNodeOnAzureTest extends ScaleSetFixture {
    private static final NodeName HEAD = new NodeName("login");

    private static ClusterSpec spec(Placement.Kind kind) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(n -> n.count(2).firstIndex(11).size("Standard_HB120rs_v3"))
                .headNode(head -> head.size("Standard_D8s_v5").name("login").index(10))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.HEAD)
                                .portPrefix(101)
                                .addAllowFrom("203.0.113.0/24")))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(p -> p.kind(kind))
                .build();
    }

    /** The head first, and then the nodes. */
    private Map<NodeName, Machine> all(AzureProvider azure, ClusterSpec spec) {
        azure.createNetwork(spec, log);
        createHead(azure, spec);
        Map<NodeName, Machine> all = new TreeMap<>(log.members);
        all.putAll(made(create(spec)));
        return all;
    }

    private static JsonNode read(ArmEmulator emulator, Machine machine) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(emulator.url() + machine.resource().name() + "?api-version=2024-07-01"))
                .header("Authorization", "Bearer any")
                .build();
        return Json.MAPPER.readTree(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"SCALE_SET", "AVAILABILITY_SET"})
    void isAMachineOfItsOwnSizeOutsideOfTheFabric(Placement.Kind kind) throws Exception {
        ClusterSpec spec = spec(kind);
        start();
        Map<NodeName, Machine> all = all(azure, spec);

        assertThat(all.keySet()).extracting(NodeName::value).containsExactly("cluster11", "cluster12", "login");
        Machine head = all.get(HEAD);
        assertThat(InstanceId.find(head.resource().name())).isEmpty();
        assertThat(head.address()).hasToString("10.42.0.4");
        assertThat(head.interconnect()).isEqualTo(Interconnect.NONE);
        JsonNode properties = read(emulator, head).path("properties");
        assertThat(properties.at("/hardwareProfile/vmSize").asText()).isEqualTo("Standard_D8s_v5");
        assertThat(properties.has("availabilitySet")).isFalse();
        assertThat(properties.has("virtualMachineScaleSet")).isFalse();
        assertThat(azure.endpoint(ID, head).port()).isEqualTo(10110);
        assertThat(azure.endpoint(ID, head).host()).startsWith("127.64.");

        assertThat(azure.find(ID, spec, List.copyOf(all.values()))).containsExactlyInAnyOrderElementsOf(all.values());
        assertThat(all.values())
                .allSatisfy(one -> assertThat(azure.state(ID, one)).isEqualTo(MachineState.RUNNING));
        log.reversed().forEach(resource -> azure.delete(ID, resource));
        assertThat(azure.remaining(ID)).isEmpty();
    }

    @Test
    void isOnDemandWhereTheNodesAreSpotMachines() throws Exception {
        ClusterSpec spec = spec(Placement.Kind.AUTO).toBuilder()
                .nodes(n -> n.spot(spot -> spot.enabled(true)))
                .build();
        start();
        Map<NodeName, Machine> all = all(azure, spec);
        assertThat(read(emulator, all.get(HEAD)).path("properties").has("priority"))
                .isFalse();
        assertThat(InstanceId.find(all.get(new NodeName("cluster11")).resource().name()))
                .isPresent();
    }

    @Test
    void hasNoExtensionsOfTheNodes() {
        ClusterSpec spec = spec(Placement.Kind.AVAILABILITY_SET).toBuilder()
                .addExtension(
                        ExtensionSpec.builder().name("InfiniBandDriverLinux").build())
                .build();
        start();
        Map<NodeName, Machine> all = all(azure, spec);
        assertThat(azure.installExtensions(ID, spec, all.get(HEAD), extension -> {}))
                .isFalse();
        assertThat(azure.installExtensions(ID, spec, all.get(new NodeName("cluster11")), extension -> {}))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_D8s_v5,,",
        "Standard_D999s_v9, CW-AZURE-001, westeurope does not offer the size Standard_D999s_v9",
        "Standard_ND128isr_NDR_GB200_v6, CW-AZURE-030, 'the head node Standard_ND128isr_NDR_GB200_v6 has Arm64 processors,"
                + " and the nodes, Standard_HB120rs_v3, have x64'",
    })
    void itsSizeIsLookedFor(String size, String code, String message) {
        ClusterSpec spec = spec(Placement.Kind.SCALE_SET).toBuilder()
                .headNode(head -> head.size(VmSize.of(size)))
                .build();
        try (ArmEmulator emulator = emulator()) {
            List<Finding> findings = connect(emulator).inspect(spec).findings();
            if (code == null) {
                assertThat(findings).noneMatch(Finding::isError);
            } else {
                assertThat(findings)
                        .filteredOn(finding -> finding.code().equals(code))
                        .singleElement()
                        .satisfies(finding -> {
                            assertThat(finding.path()).isEqualTo("headNode.size");
                            assertThat(finding.message()).isEqualTo(message);
                        });
            }
        }
    }
}
