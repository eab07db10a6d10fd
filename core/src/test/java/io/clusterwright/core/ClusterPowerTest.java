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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Resizing, stopping and starting a cluster that exists. */
final class ClusterPowerTest extends LifecycleFixture {
    @BeforeEach
    void create() {
        ClusterManager manager = manager();
        manager.create(spec()).close();
        MemoryBackend.CALLS.clear();
    }

    private static ClusterSpec spec() {
        return MemoryProvider.demo(3).nodes(n -> n.quorum(3)).build();
    }

    private String phase() {
        return manager().list().get(0).phase().toString();
    }

    private Map<NodeName, String> hostKeys() {
        return manager().list().get(0).nodes().stream()
                .collect(Collectors.toMap(Node::name, node -> node.hostKey().toString()));
    }

    @Test
    void aDescriptionHasNoStateThatIsNotKnown() {
        provider.onConsole = () -> {
            throw new IllegalArgumentException("no such text");
        };
        assertThat(manager().describe(DEMO, List.of(node(11)), 1).nodes().get(0))
                .satisfies(described -> assertThat(described.state()).isEqualTo(MachineState.RUNNING))
                .satisfies(
                        described -> assertThat(described.logs()).containsEntry("console", "not read: no such text"));

        provider.onState = () -> {
            throw new ClusterwrightException("the provider does not answer");
        };
        assertThatThrownBy(() -> manager().describe(DEMO, List.of(), 1)).hasMessage("the provider does not answer");
    }

    @Nested
    class Resizing {
        @Test
        void addsNodesFromTheSameImageAndUpdatesTheOthers() {
            Map<NodeName, String> before = hostKeys();
            int images = provider.images.size();

            try (Cluster cluster = manager().resize(DEMO, 5, options())) {
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
            try (Cluster cluster = manager().resize(DEMO, 2, options())) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12));
                assertThat(cluster.spec().nodes().quorum()).isEqualTo(2);
            }

            assertThat(provider.machines).containsOnlyKeys(node(11), node(12));
            assertThat(MemoryBackend.CALLS).containsExactlyInAnyOrder("join demo11 of 2", "join demo12 of 2");
            try (Cluster cluster = manager().resize(DEMO, 3, options())) {
                assertThat(cluster.nodes()).hasSize(3);
            }
        }

        @Test
        void resizeToTheSameCountChangesNothing() {
            manager().resize(DEMO, 3, options()).close();
            assertThat(in(NodePhase.CREATING)).isEmpty();
            assertThat(provider.machines).hasSize(3);
        }

        @Test
        void refusesAnInvalidCount() {
            assertThatThrownBy(() -> manager().resize(DEMO, 0, options()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("invalid number of nodes \"0\"");
            assertThat(provider.machines).hasSize(3);
        }

        @Test
        void refusesAnUnknownOrStoppedCluster() {
            assertThatThrownBy(() -> manager().resize(new ClusterName("other"), 2, options()))
                    .hasMessage("there is no cluster other; the clusters are demo");
            manager().stop(DEMO, events::add);
            assertThatThrownBy(() -> manager().resize(DEMO, 2, options()))
                    .hasMessage(
                            "cluster demo is stopped, so its nodes cannot be reached; run: clusterwright start demo");
        }
    }

    @Nested
    class Stopping {
        @Test
        void stopsEveryMachineAndKeepsTheCluster() {
            ClusterSummary summary = manager().stop(DEMO, events::add);

            assertThat(summary.phase()).hasToString("stopped");
            assertThat(summary.nodes()).hasSize(3);
            assertThat(provider.stopped).containsExactlyInAnyOrder(node(11), node(12), node(13));
            assertThat(manager().states(DEMO)).hasSize(3).values().containsOnly(MachineState.STOPPED);
            assertThat(in(NodePhase.STOPPED)).containsExactly(node(11), node(12), node(13));
            assertThat(manager().stop(DEMO, events::add).phase()).hasToString("stopped");
        }

        @Test
        void namesMachinesThatStillRun() {
            provider.unstoppable.add(node(12));

            assertThatThrownBy(() -> manager().stop(DEMO, events::add))
                    .hasMessage(
                            "cluster demo was not stopped: demo12 still run on memory; run: clusterwright stop demo, or:"
                                    + " clusterwright destroy demo (ClusterManager.destroy)");

            assertThat(phase()).isEqualTo("stopping");
            provider.unstoppable.clear();
            assertThat(manager().stop(DEMO, events::add).phase()).hasToString("stopped");
        }

        @Test
        void powerChangesAreJournalledBeforeTheyHappen() {
            String[] during = new String[1];
            provider.beforeStop = () -> during[0] = phase();
            manager().stop(DEMO, events::add);
            assertThat(during[0]).isEqualTo("stopping");
        }

        @Test
        void doesNotConnectToAStoppedCluster() {
            manager().stop(DEMO, events::add);
            assertThatThrownBy(() -> manager().open(DEMO))
                    .isInstanceOf(ClusterException.Stopped.class)
                    .hasMessageContaining("is stopped")
                    .hasMessageContaining("run: clusterwright start demo");
        }

        @Test
        void destroysAStoppedCluster() {
            manager().stop(DEMO, events::add);
            assertThat(manager().destroy(DEMO, events::add).left()).isEmpty();
            assertThat(provider.existing).isEmpty();
        }
    }

    @Nested
    class Starting {
        @Test
        void startsTheSameNodesAndProvesThem() {
            Map<NodeName, String> before = hostKeys();
            manager().stop(DEMO, events::add);
            MemoryBackend.CONNECTS.clear();

            try (Cluster cluster = manager().start(DEMO, events::add)) {
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
            manager().stop(DEMO, events::add);
            MemoryBackend.SILENT.add(node(12));

            assertThatThrownBy(() -> manager().start(DEMO, events::add))
                    .isInstanceOfSatisfying(
                            NodesFailedException.class,
                            failed -> assertThat(failed.failures()).containsOnlyKeys(node(12)))
                    .hasMessageContaining("cluster demo was started, but 1 of 3 nodes are not ready: demo12")
                    .hasMessageContaining("or replace them: clusterwright create SPEC --on memory --replace-unreachable"
                            + " (CreateOptions.replaceUnreachable), or stop it again");

            assertThat(phase()).isEqualTo("starting");
            MemoryBackend.SILENT.clear();
            manager().start(DEMO, events::add).close();
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void creatingAStoppedClusterAgainStartsItsNodesInsteadOfReplacingThem() {
            manager().stop(DEMO, events::add);
            ClusterManager manager = manager();

            manager.create(spec(), options()).close();

            assertThat(in(NodePhase.CREATING)).isEmpty();
            assertThat(provider.stopped).isEmpty();
            assertThat(phase()).isEqualTo("ready");
        }

        @Test
        void startsEveryNodeOnce() {
            manager().start(DEMO, events::add).close();
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
            Operation<ClusterSummary> shutdown = manager.stopAsync(DEMO, events::add);
            assertThat(shutdown.await(Duration.ofSeconds(60)))
                    .hasValueSatisfying(
                            summary -> assertThat(summary.phase().toString()).isEqualTo("stopped"));
            assertThat(in(NodePhase.STOPPED)).containsExactly(node(11), node(12), node(13));

            try (Cluster cluster = manager.startAsync(DEMO, events::add).await()) {
                assertThat(cluster.nodes()).hasSize(3);
            }
            assertThat(phase()).isEqualTo("ready");
        }
    }
}
