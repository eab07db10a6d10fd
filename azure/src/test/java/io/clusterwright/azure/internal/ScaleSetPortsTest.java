package io.clusterwright.azure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes of a scale set that are reached from outside: the article's ports 10111… */
class ScaleSetPortsTest extends ScaleSetFixture {
    private static ClusterSpec spec(int nodes) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(n -> n.count(nodes)
                        .firstIndex(11)
                        .size("Standard_HB120rs_v3")
                        .deadline(Duration.ofSeconds(5)))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.ALL)
                                .portPrefix(101)
                                .addAllowFrom("203.0.113.0/24")))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(p -> p.kind(Placement.Kind.SCALE_SET))
                .build();
    }

    private static NodeName node(int index) {
        return new NodeName("cluster" + index);
    }

    private static Map<String, Integer> ports(AzureProvider azure, Map<NodeName, Machine> machines) {
        Map<String, Integer> ports = new TreeMap<>();
        machines.forEach((node, machine) -> {
            Endpoint endpoint = azure.endpoint(ScaleSetFixture.ID, machine);
            assertThat(endpoint.host()).startsWith("127.64.");
            ports.put(node.value(), endpoint.port());
        });
        return ports;
    }

    @Test
    void eachNodeAnswersAtThePortOfItsNumber() {
        ClusterSpec spec = spec(3);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));

            assertThat(ports(azure, made))
                    .isEqualTo(Map.of("cluster11", 10111, "cluster12", 10112, "cluster13", 10113));
            assertThat(made.values()).extracting(Machine::address).doesNotHaveDuplicates();
            assertThat(ports(connect(emulator), made))
                    .as("as another process learns it")
                    .isEqualTo(ports(azure, made));
            log.reversed().forEach(resource -> azure.delete(ScaleSetFixture.ID, resource));
            assertThat(azure.remaining(ScaleSetFixture.ID)).isEmpty();
        }
    }

    @Test
    void replacedNodesKeepTheirPorts() {
        ClusterSpec spec = spec(3);
        ClusterSpec larger = spec(5);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));
            azure.delete(ScaleSetFixture.ID, made.get(node(12)).resource());

            made.putAll(made(create(azure, larger, List.of(node(15), node(12), node(14)))));

            assertThat(ports(azure, made))
                    .isEqualTo(Map.of(
                            "cluster11",
                            10111,
                            "cluster12",
                            10112,
                            "cluster13",
                            10113,
                            "cluster14",
                            10114,
                            "cluster15",
                            10115));
            assertThat(emulator.requests())
                    .filteredOn(
                            seen -> seen.method().equals("PUT") && seen.path().endsWith("/cluster-lb"))
                    .as("made, and given a longer range")
                    .hasSize(2);
        }
    }

    @Test
    void portsCostOneQuestionForEachNodeAndNoneLater() {
        ClusterSpec spec = spec(100).toBuilder()
                .nodes(n -> n.firstIndex(100))
                .network(n -> n.ssh(ssh -> ssh.portPrefix(10)))
                .build();
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));
            int before = emulator.requests().size();

            assertThat(ports(azure, made).values())
                    .doesNotHaveDuplicates()
                    .allMatch(port -> port >= 10100 && port < 10200);

            assertThat(emulator.requests())
                    .filteredOn(seen -> seen.path().endsWith("/queryInboundNatRulePortMapping"))
                    .hasSize(100);
            assertThat(writes(emulator)).isLessThanOrEqualTo(110);
            assertThat(emulator.requests()).hasSize(before);
        }
    }
}
