package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The life of a scale set whose instances are real nodes: they share one custom data, and each gets its own identity. */
@Tag("breadth")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class RealScaleSetTest {
    private static final ClusterName NAME = new ClusterName("alike");

    private ArmEmulator emulator;
    private ClusterManager manager;
    private Path state;

    private static ClusterSpec spec(int nodes) {
        return ClusterSpec.builder("alike")
                .region("westeurope")
                .nodes(n -> n.count(nodes).firstIndex(11).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest").capture(false))
                .placement(p -> p.kind(Placement.Kind.SCALE_SET))
                .verify(v -> v.hostname(false))
                .build();
    }

    @BeforeAll
    void create(@TempDir Path folder) {
        LocalMachines local = AzureFixture.local(folder);
        emulator = ArmEmulator.builder()
                .retryAfter(Duration.ZERO)
                .machinesBackedBy(local.host())
                .start();
        state = folder.resolve("state");
        manager = ClusterManager.builder(ProviderMachines.of(connect(emulator)))
                .stateStore(StateStore.inFolder(state))
                .build();
        create(manager, 2).close();
    }

    @AfterAll
    void end() {
        if (manager != null) {
            manager.destroy(NAME);
            manager.close();
        }
        if (emulator != null) {
            emulator.close();
        }
    }

    @Test
    @Order(1)
    void instancesHaveSeparateNamesKeysAndAddresses() {
        try (Cluster cluster = manager.open(NAME)) {
            assertThat(names(cluster)).containsOnlyKeys("alike11", "alike12");
            assertThat(cluster.nodes()).extracting(Node::hostKey).doesNotHaveDuplicates();
            assertThat(names(cluster)).as("each at its own address").isEqualTo(hosts(cluster));
        }
    }

    @Test
    @Order(2)
    void theConsoleOfAnInstanceIsDescribed() {
        NodeName node = NodeName.of("alike12");
        assertThat(manager.describe(NAME, List.of(node), 5).nodes())
                .filteredOn(described -> described.node().name().equals(node))
                .singleElement()
                .satisfies(described -> assertThat(described.logs().get("console"))
                        .isNotBlank()
                        .doesNotContain("not kept", "not read"));
    }

    @Test
    @Order(2)
    void theBootstrapKeyOpensNoSession() {
        try (Cluster cluster = manager.open(NAME)) {
            assertThat(lines(cluster, Command.of("sh", "-c", "cat ~/.ssh/authorized_keys")))
                    .as("keys that may log in")
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("clusterwright-first-session"));
        }
    }

    @Test
    @Order(3)
    void stoppedInstancesComeBackAsTheyWere() {
        Map<String, String> before;
        Map<String, String> keys;
        try (Cluster cluster = manager.open(NAME)) {
            before = names(cluster);
            keys = keys(cluster);
            lines(cluster, Command.of("sh", "-c", "echo work > ~/kept"));
        }

        assertThat(manager.stop(NAME).phase()).isEqualTo(ClusterPhase.STOPPED);
        assertThatThrownBy(() -> manager.open(NAME)).hasMessageContaining("stopped");

        try (Cluster cluster = manager.start(NAME)) {
            assertThat(names(cluster)).isEqualTo(before).isEqualTo(hosts(cluster));
            assertThat(keys(cluster)).isEqualTo(keys);
            assertThat(lines(cluster, Command.of("sh", "-c", "cat ~/kept"))).containsExactly("work", "work");
        }
    }

    @Test
    @Order(4)
    void aClusterWithoutAJournalIsAdoptedWithItsInstances() throws IOException {
        List<Node> nodes = manager.list().get(0).nodes();
        Files.delete(state.resolve("clusters").resolve(NAME.value()).resolve("journal.jsonl"));
        assertThat(manager.list()).isEmpty();
        assertThat(manager.untracked())
                .singleElement()
                .satisfies(found -> assertThat(found.running()).hasSize(2));

        List<ClusterEvent> events = new ArrayList<>();
        ClusterSummary adopted = manager.adopt(manager.adoptable(NAME).get(0).id(), spec(2), events::add);

        assertThat(events).isEmpty();
        assertThat(adopted.phase()).isEqualTo(ClusterPhase.READY);
        assertThat(adopted.nodes()).isEqualTo(nodes);
        try (Cluster cluster = manager.open(NAME)) {
            assertThat(names(cluster)).containsOnlyKeys("alike11", "alike12").isEqualTo(hosts(cluster));
        }
    }

    @Test
    @Order(5)
    void resizingAddsAnInstanceAndKeepsTheFirst() {
        Map<String, String> before;
        try (Cluster cluster = manager.resize(NAME, 3)) {
            before = names(cluster);
            assertThat(before).containsOnlyKeys("alike11", "alike12", "alike13").isEqualTo(hosts(cluster));
        }
        try (Cluster cluster = manager.resize(NAME, 1)) {
            assertThat(names(cluster)).containsOnlyKeys("alike11");
            assertThat(names(cluster).get("alike11")).as("kept, not made again").isEqualTo(before.get("alike11"));
        }
    }

    @Test
    @Order(6)
    void destroyLeavesNothing() {
        assertThat(manager.destroy(NAME).left()).isEmpty();
    }

    private static Map<String, String> keys(Cluster cluster) {
        Map<String, String> keys = new TreeMap<>();
        cluster.nodes()
                .forEach(node -> keys.put(node.name().value(), node.hostKey().toString()));
        return keys;
    }

    private static AzureProvider connect(ArmEmulator emulator) {
        return AzureFixture.open(AzureMachines.builder(
                        AzureFixture.pipeline(emulator.token()),
                        AzureFixture.profile(emulator.url(), emulator.subscriptionId()))
                .pollInterval(Duration.ofMillis(20))
                .bootDiagnostics(true)
                .build());
    }

    private static Cluster create(ClusterManager manager, int nodes) {
        var plan = manager.plan(spec(nodes));
        assertThat(plan.findings())
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .extracting(Finding::toString)
                .isEmpty();
        return manager.create(plan);
    }

    /** The address of each node, by the name that the machine there gives itself. */
    private static Map<String, String> names(Cluster cluster) {
        Map<String, String> names = new TreeMap<>();
        for (Node node : cluster.nodes()) {
            names.put(
                    cluster.session(node.name())
                            .run(Command.of("hostname"))
                            .orThrow()
                            .stdout()
                            .strip(),
                    node.address().toString());
        }
        return names;
    }

    /** What the nodes' own hosts files say of the members. */
    private static Map<String, String> hosts(Cluster cluster) {
        Map<String, String> hosts = new TreeMap<>();
        for (Node node : cluster.nodes()) {
            lines(cluster, Command.of("getent", "hosts", node.name().value()))
                    .forEach(line -> hosts.merge(
                            node.name().value(), line.split(" ", 2)[0], (one, other) -> one.equals(other) ? one : "?"));
        }
        return hosts;
    }

    private static List<String> lines(Cluster cluster, Command command) {
        return cluster.run(command).successes().stream()
                .map(NodeOutcome.Completed.class::cast)
                .flatMap(outcome -> outcome.result().stdout().lines())
                .toList();
    }
}
