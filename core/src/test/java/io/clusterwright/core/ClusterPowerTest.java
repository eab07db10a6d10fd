package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Resizing, stopping and starting a cluster that exists. */
@ResourceLock(MemoryBackend.LOCK)
final class ClusterPowerTest {
    private static final ClusterName NAME = new ClusterName("demo");

    @TempDir
    Path folder;

    private final MemoryProvider provider = new MemoryProvider();
    private final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void create() {
        MemoryBackend.reset();
        ClusterManager manager = manager();
        manager.create(spec()).close();
        MemoryBackend.CALLS.clear();
    }

    /** A new manager each time, as a new process has it. */
    private ClusterManager manager() {
        return provider.manager(folder);
    }

    private static ClusterSpec spec() {
        return MemoryProvider.demo(3).nodes(n -> n.quorum(3)).build();
    }

    private static NodeName node(int index) {
        return new NodeName("demo" + index);
    }

    private String phase() {
        return manager().list().get(0).phase().toString();
    }

    private List<NodeName> in(NodePhase phase) {
        return events.stream()
                .filter(ClusterEvent.NodeChanged.class::isInstance)
                .map(ClusterEvent.NodeChanged.class::cast)
                .filter(event -> event.phase() == phase)
                .map(ClusterEvent.NodeChanged::node)
                .sorted()
                .toList();
    }

    private Map<NodeName, String> hostKeys() {
        return manager().list().get(0).nodes().stream()
                .collect(Collectors.toMap(Node::name, node -> node.hostKey().toString()));
    }

    @Nested
    class Resizing {
        @Test
        void addsNodesFromTheSameImageAndUpdatesTheOthers() {
            Map<NodeName, String> before = hostKeys();
            int images = provider.images.size();

            try (Cluster cluster =
                    manager().resize(NAME, 5, CreateOptions.standard().listener(events::add))) {
                assertThat(cluster.nodes())
                        .extracting(Node::name)
                        .containsExactly(node(11), node(12), node(13), node(14), node(15));
                assertThat(cluster.spec().nodes().count()).isEqualTo(5);
            }

            assertThat(provider.machines).hasSize(5);
            assertThat(provider.images).hasSize(images);
            assertThat(in(NodePhase.CREATING)).containsExactly(node(14), node(15));
            assertThat(MemoryBackend.CALLS).contains("join demo11 of 5").doesNotContain("customize");
            assertThat(hostKeys()).containsAllEntriesOf(before);
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void deletesTheHighestNumbersAndLowersTheQuorum() {
            try (Cluster cluster =
                    manager().resize(NAME, 2, CreateOptions.standard().listener(events::add))) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12));
                assertThat(cluster.spec().nodes().quorum()).isEqualTo(2);
            }

            assertThat(provider.machines).containsOnlyKeys(node(11), node(12));
            assertThat(MemoryBackend.CALLS).containsExactlyInAnyOrder("join demo11 of 2", "join demo12 of 2");
            try (Cluster cluster =
                    manager().resize(NAME, 3, CreateOptions.standard().listener(events::add))) {
                assertThat(cluster.nodes()).hasSize(3);
            }
        }

        @Test
        void resizeToTheSameCountChangesNothing() {
            manager()
                    .resize(NAME, 3, CreateOptions.standard().listener(events::add))
                    .close();
            assertThat(in(NodePhase.CREATING)).isEmpty();
            assertThat(provider.machines).hasSize(3);
        }

        @Test
        void refusesAnInvalidCount() {
            assertThatThrownBy(() ->
                            manager().resize(NAME, 0, CreateOptions.standard().listener(events::add)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("\"0\" is not a valid number of nodes");
            assertThat(provider.machines).hasSize(3);
        }

        @Test
        void refusesAnUnknownOrStoppedCluster() {
            assertThatThrownBy(() -> manager()
                            .resize(
                                    new ClusterName("other"),
                                    2,
                                    CreateOptions.standard().listener(events::add)))
                    .hasMessage("no cluster is named other: there is demo");
            manager().stop(NAME, events::add);
            assertThatThrownBy(() ->
                            manager().resize(NAME, 2, CreateOptions.standard().listener(events::add)))
                    .hasMessage("cluster demo is stopped, so its nodes cannot be reached; start it first");
        }
    }

    @Nested
    class Stopping {
        @Test
        void stopsEveryMachineAndKeepsTheCluster() {
            ClusterSummary summary = manager().stop(NAME, events::add);

            assertThat(summary.phase()).hasToString("stopped");
            assertThat(summary.nodes()).hasSize(3);
            assertThat(provider.stopped).containsExactlyInAnyOrder(node(11), node(12), node(13));
            assertThat(manager().states(NAME)).hasSize(3).values().containsOnly(MachineState.STOPPED);
            assertThat(in(NodePhase.STOPPED)).containsExactly(node(11), node(12), node(13));
            assertThat(manager().stop(NAME, events::add).phase()).hasToString("stopped");
        }

        @Test
        void namesMachinesThatStillRun() {
            provider.unstoppable.add(node(12));

            assertThatThrownBy(() -> manager().stop(NAME, events::add))
                    .hasMessage("cluster demo was not stopped: demo12 still run on memory; stop it again, or run:"
                            + " clusterwright destroy demo (ClusterManager.destroy)");

            assertThat(phase()).isEqualTo("stopping");
            provider.unstoppable.clear();
            assertThat(manager().stop(NAME, events::add).phase()).hasToString("stopped");
        }

        @Test
        void powerChangesAreJournalledBeforeTheyHappen() {
            String[] during = new String[1];
            manager().stop(NAME, event -> {
                if (event instanceof ClusterEvent.StepStarted started && started.step() == Step.STOP) {
                    during[0] = phase();
                }
            });
            assertThat(during[0]).isEqualTo("stopping");
        }

        @Test
        void doesNotConnectToAStoppedCluster() {
            manager().stop(NAME, events::add);
            assertThatThrownBy(() -> manager().open(NAME))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("is stopped")
                    .hasMessageContaining("start it first");
        }

        @Test
        void destroysAStoppedCluster() {
            manager().stop(NAME, events::add);
            assertThat(manager().destroy(NAME, events::add).left()).isEmpty();
            assertThat(provider.existing).isEmpty();
        }
    }

    @Nested
    class Starting {
        @Test
        void startsTheSameNodesAndProvesThem() {
            Map<NodeName, String> before = hostKeys();
            manager().stop(NAME, events::add);
            MemoryBackend.CONNECTS.clear();

            try (Cluster cluster = manager().start(NAME, events::add)) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12), node(13));
            }

            assertThat(hostKeys()).isEqualTo(before);
            assertThat(provider.stopped).isEmpty();
            assertThat(MemoryBackend.CONNECTS).containsOnlyKeys(node(11), node(12), node(13));
            assertThat(in(NodePhase.READY)).containsExactly(node(11), node(12), node(13));
            assertThat(in(NodePhase.CREATING)).isEmpty();
            assertThat(MemoryBackend.CALLS)
                    .containsExactlyInAnyOrder("join demo11 of 3", "join demo12 of 3", "join demo13 of 3");
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void isNotReadyUntilEveryNodeIsProven() {
            manager().stop(NAME, events::add);
            MemoryBackend.SILENT.add(node(12));

            assertThatThrownBy(() -> manager().start(NAME, events::add))
                    .hasMessageContaining("cluster demo was started, but 1 of 3 nodes are not ready: demo12")
                    .hasMessageContaining("or replace them: clusterwright create SPEC --on memory --replace-unreachable"
                            + " (CreateOptions.replaceUnreachable), or stop it again");

            assertThat(phase()).isEqualTo("starting");
            MemoryBackend.SILENT.clear();
            manager().start(NAME, events::add).close();
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void creatingAStoppedClusterAgainStartsItsNodesInsteadOfReplacingThem() {
            manager().stop(NAME, events::add);
            ClusterManager manager = manager();

            manager.create(spec(), CreateOptions.standard().listener(events::add))
                    .close();

            assertThat(in(NodePhase.CREATING)).isEmpty();
            assertThat(provider.stopped).isEmpty();
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void startsEveryNodeOnce() {
            manager().start(NAME, events::add).close();
            assertThat(events.stream()
                            .filter(ClusterEvent.StepStarted.class::isInstance)
                            .map(event -> ((ClusterEvent.StepStarted) event).step()))
                    .containsExactly(Step.START, Step.JOIN);
            assertThat(in(NodePhase.BOOTING).stream().collect(Collectors.groupingBy(Function.identity())))
                    .hasSize(3)
                    .allSatisfy((node, seen) -> assertThat(seen).hasSize(1));
        }
    }

    @Test
    void shutsDownAndBootsInTheBackground() {
        try (ClusterManager manager = manager()) {
            Operation<ClusterSummary> shutdown = manager.stopAsync(NAME, events::add);
            assertThat(shutdown.await(Duration.ofSeconds(60)))
                    .hasValueSatisfying(
                            summary -> assertThat(summary.phase().toString()).isEqualTo("stopped"));
            assertThat(in(NodePhase.STOPPED)).containsExactly(node(11), node(12), node(13));

            try (Cluster cluster = manager.startAsync(NAME, events::add).await()) {
                assertThat(cluster.nodes()).hasSize(3);
            }
            assertThat(phase()).isEqualTo("ready");
        }
    }
}
