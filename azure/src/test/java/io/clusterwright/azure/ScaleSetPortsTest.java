package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
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
            Endpoint endpoint = azure.endpoint(ID, machine);
            assertThat(endpoint.host()).startsWith("127.64.");
            ports.put(node.value(), endpoint.port());
        });
        return ports;
    }

    @Test
    void eachNodeAnswersAtThePortOfItsNumber() {
        ClusterSpec spec = spec(3);
        start();
        Map<NodeName, Machine> made = made(create(spec));

        assertThat(ports(azure, made)).isEqualTo(Map.of("cluster11", 10111, "cluster12", 10112, "cluster13", 10113));
        assertThat(made.values()).extracting(Machine::address).doesNotHaveDuplicates();
        assertThat(ports(connect(emulator), made))
                .as("as another process learns it")
                .isEqualTo(ports(azure, made));
        log.reversed().forEach(resource -> azure.delete(ID, resource));
        assertThat(azure.remaining(ID)).isEmpty();
    }

    @Test
    void replacedNodesKeepTheirPorts() {
        ClusterSpec spec = spec(3);
        ClusterSpec larger = spec(5);
        start();
        Map<NodeName, Machine> made = made(create(spec));
        azure.delete(ID, made.get(node(12)).resource());

        made.putAll(made(create(larger, List.of(node(15), node(12), node(14)))));

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
                .filteredOn(seen -> seen.method().equals("PUT") && seen.path().endsWith("/cluster-lb"))
                .as("made, and given a longer range")
                .hasSize(2);
    }

    @Test
    void onlyTheHeadsPortIsLetThroughAndTheOthersAreReachedThroughIt() {
        ClusterSpec spec = headOnly(spec(3));
        start();
        Map<NodeName, Machine> made = made(create(spec));
        Machine head = made.get(node(11));

        assertThat(letThrough(emulator)).containsExactly(head.address().toString());
        assertThat(backend.dialled.get(node(11))).startsWith("127.64.").endsWith(":50000");
        assertThat(backend.dialled.get(node(12)))
                .isEqualTo("inside " + made.get(node(12)).address() + ":22");
        assertThat(log.awaited).isNotEmpty().containsOnly(head);
        assertThat(azure.gateway(spec, node(13))).contains(node(11));
        assertThat(connect(emulator).endpoint(ID, head).port())
                .as("as another process learns it")
                .isEqualTo(50_000);
    }

    @Test
    void aSetThatGrowsIsReachedThroughTheHeadThatIsThere() {
        ClusterSpec spec = headOnly(spec(2));
        start();
        log.members.putAll(made(create(spec)));
        log.awaited.clear();

        Map<NodeName, Machine> more = made(create(azure, headOnly(spec(3)), List.of(node(13))));

        assertThat(more).containsOnlyKeys(node(13));
        assertThat(log.awaited).isNotEmpty().containsOnly(log.members.get(node(11)));
        assertThat(letThrough(emulator))
                .containsExactly(log.members.get(node(11)).address().toString());
    }

    @Test
    void aHeadThatIsReplacedTakesTheWayInWithIt() {
        ClusterSpec spec = headOnly(spec(2));
        start();
        Map<NodeName, Machine> made = made(create(spec));
        azure.delete(ID, made.get(node(11)).resource());

        made.putAll(made(create(spec, List.of(node(11)))));

        assertThat(letThrough(emulator))
                .containsExactly(made.get(node(11)).address().toString());
    }

    @Test
    void aHeadThatDoesNotAnswerIsTheReasonOfEachFailure() {
        ClusterSpec spec = headOnly(spec(3)).toBuilder()
                .nodes(n -> n.deadline(Duration.ofSeconds(1)))
                .build();
        start();
        backend.silentAddresses.add("127.64.0.1");

        assertThat(create(spec).values())
                .hasSize(3)
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                MachineOutcome.Failed.class,
                                failed -> assertThat(failed.cause())
                                        .hasMessageContaining("cluster11 did not answer its first session")));
    }

    private static ClusterSpec headOnly(ClusterSpec spec) {
        return spec.toBuilder()
                .network(n ->
                        n.ssh(SshAccess.builder().addAllowFrom("203.0.113.0/24").build()))
                .build();
    }

    /** The private addresses that SSH from outside is let through to. */
    private static List<String> letThrough(ArmEmulator emulator) {
        URI group = emulator.url()
                .resolve("/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/cluster-rg/providers"
                        + "/Microsoft.Network/networkSecurityGroups/cluster-nsg?api-version=2024-05-01");
        try {
            String body = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(group).build(), BodyHandlers.ofString())
                    .body();
            List<String> addresses = new ArrayList<>();
            Json.MAPPER
                    .readTree(body)
                    .at("/properties/securityRules/0/properties/destinationAddressPrefixes")
                    .forEach(one -> addresses.add(one.asText()));
            return addresses;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void portsCostOneQuestionForEachNodeAndNoneLater() {
        ClusterSpec spec = spec(100).toBuilder()
                .nodes(n -> n.firstIndex(100))
                .network(n -> n.ssh(ssh -> ssh.portPrefix(10)))
                .build();
        start();
        Map<NodeName, Machine> made = made(create(spec));
        int before = emulator.requests().size();

        assertThat(ports(azure, made).values()).doesNotHaveDuplicates().allMatch(port -> port >= 10100 && port < 10200);

        assertThat(emulator.requests())
                .filteredOn(seen -> seen.path().endsWith("/queryInboundNatRulePortMapping"))
                .hasSize(100);
        assertThat(writes()).isLessThanOrEqualTo(110);
        assertThat(emulator.requests()).hasSize(before);
    }
}
