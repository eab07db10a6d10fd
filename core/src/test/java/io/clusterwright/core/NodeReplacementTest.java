package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node is deleted only if its provider says that it is gone or failed, or if the user asks. */
final class NodeReplacementTest extends LifecycleFixture {
    private static final NodeName SECOND = new NodeName("demo12");

    private static ClusterSpec spec(int count) {
        return MemoryProvider.demo(count).build();
    }

    private void create(int count) {
        manager().create(spec(count)).close();
        events.clear();
        MemoryBackend.CALLS.clear();
    }

    @Test
    void aRunningNodeThatDoesNotAnswerIsNamedAndNothingChanges() {
        create(3);
        MemoryBackend.SILENT.add(SECOND);
        List<String> before = store().read(DEMO);

        for (int count : List.of(4, 3)) {
            assertThatThrownBy(() -> manager().resize(DEMO, count, options()))
                    .isInstanceOfSatisfying(
                            CreateFailedException.class,
                            failure -> assertThat(failure.left()).contains(new ResourceId("machine", "demo12")))
                    .hasMessage(
                            "cluster demo was not resized to " + count + " nodes: demo12 exists and does not answer;"
                                    + " demo12: demo12 does not answer. See whether"
                                    + " this machine reaches it (VPN, firewall,"
                                    + " allowed addresses) and try again, or"
                                    + " replace it with its disk: add"
                                    + " --replace-unreachable to the command"
                                    + " (CreateOptions.replaceUnreachable); nothing"
                                    + " was deleted or made");
        }
        assertThatThrownBy(() -> manager().create(spec(4), options()))
                .hasCauseInstanceOf(NodesFailedException.class)
                .hasMessageStartingWith("cluster demo was not created: demo12 exists and does not answer");

        assertThat(provider.machines).hasSize(3);
        assertThat(in(NodePhase.CREATING)).isEmpty();
        assertThat(store().read(DEMO)).isEqualTo(before);
        assertThat(manager().list()).singleElement().satisfies(record -> {
            assertThat(record.phase()).isEqualTo(ClusterPhase.READY);
            assertThat(record.nodes()).hasSize(3);
        });

        MemoryBackend.SILENT.clear();
        manager().resize(DEMO, 4, options()).close();
        assertThat(in(NodePhase.CREATING)).containsExactly(new NodeName("demo14"));
    }

    @Test
    void severalSilentNodesAreFoldedWithTheFirstReasons() {
        create(8);
        for (int i = 11; i < 18; i++) {
            MemoryBackend.SILENT.add(new NodeName("demo" + i));
        }
        assertThatThrownBy(() -> manager().resize(DEMO, 9, options()))
                .hasMessageContaining("demo[11-17] exist and do not answer; demo11: demo11 does not answer")
                .hasMessageContaining("demo15: demo15 does not answer. See whether")
                .hasMessageContaining("replace them with their disks: add --replace-unreachable to the command");
        assertThat(provider.machines).hasSize(8);
    }

    @Test
    void replacesARunningNodeWhenTheUserAsks() {
        create(3);
        MemoryBackend.SILENT.add(SECOND);
        provider.curedByReplacement.add(SECOND);

        manager().resize(DEMO, 3, options().replaceUnreachable()).close();

        assertThat(in(NodePhase.CREATING)).containsExactly(SECOND);
        assertThat(provider.machines).hasSize(3);
    }

    @Test
    void startsAStoppedNodeAndKeepsIt() {
        create(3);
        provider.stopped.add(SECOND);

        manager().resize(DEMO, 3, options()).close();

        assertThat(in(NodePhase.CREATING)).isEmpty();
        assertThat(provider.stopped).isEmpty();
    }

    @Test
    void reportsAStoppedNodeThatDoesNotStart() {
        create(3);
        provider.stopped.add(SECOND);
        provider.unstartable.add(SECOND);

        assertThatThrownBy(() -> manager().resize(DEMO, 4, options()))
                .hasMessageContaining("demo12: it is stopped: no capacity to start demo12")
                .hasMessageContaining("nothing was deleted or made");

        assertThat(provider.machines).hasSize(3);
    }

    @Test
    void replacesANodeThatItsProviderReportsAsFailedOrAbsent() {
        create(3);
        provider.broken.add(SECOND);
        provider.machines.remove(new NodeName("demo13"));

        manager().resize(DEMO, 3, options()).close();

        assertThat(in(NodePhase.CREATING)).containsExactly(SECOND, new NodeName("demo13"));
        assertThat(provider.broken).isEmpty();
    }

    @Test
    void deletesASurplusNodeThatDoesNotAnswer() {
        create(3);
        MemoryBackend.SILENT.add(new NodeName("demo13"));

        manager().resize(DEMO, 2, options()).close();

        assertThat(provider.machines).containsOnlyKeys(new NodeName("demo11"), SECOND);
    }

    /** Addresses that the provider chooses made nodes count before they were customised. */
    @Test
    void aNodeThatWasNotCustomisedIsMadeAgain() {
        provider.choosesAddresses = true;
        ClusterSpec spec =
                spec(2).toBuilder().image(image -> image.capture(false)).build();
        MemoryBackend.failing = "customize";
        assertThatThrownBy(() -> manager().create(spec, options().keepOnFailure()))
                .hasMessageContaining("its resources were kept");
        assertThat(provider.machines).hasSize(2);
        MemoryBackend.reset();

        manager().create(spec, options()).close();

        assertThat(MemoryBackend.CALLS).filteredOn("customize"::equals).hasSize(2);
    }

    /** A failed creation that keeps its machines left no way to them in its record. */
    @Test
    void aKeptNodeThatNeverBecameReadyIsKnownUntilItIsMadeAgainOrDeleted() {
        MemoryBackend.SILENT.add(SECOND);
        assertThatThrownBy(() -> manager().create(spec(2), options().keepOnFailure()))
                .hasMessageContaining("its resources were kept");

        assertThat(manager().sshAccess(DEMO).routes())
                .extracting(route -> route.node().value())
                .contains("demo12");
        assertThat(manager().describe(DEMO, List.of(), 1).nodes())
                .extracting(node -> node.node().name())
                .contains(SECOND);
        MemoryBackend.reset();

        manager().create(spec(2), options()).close();
        assertThat(in(NodePhase.CREATING)).contains(SECOND);
        assertThat(manager().open(DEMO).nodes()).hasSize(2);

        manager().destroy(DEMO, event -> {});
        assertThat(provider.machines).isEmpty();
    }

    @Test
    void aClusterWithoutAReadyNodeNamesTheWaysToExamineIt() {
        ClusterSpec spec =
                spec(2).toBuilder().image(image -> image.capture(false)).build();
        MemoryBackend.failing = "customize";
        assertThatThrownBy(() -> manager().create(spec, options().keepOnFailure()))
                .hasMessageContaining("its resources were kept");

        assertThatThrownBy(() -> manager().open(DEMO))
                .hasMessageContaining("no node of cluster demo is ready; demo[11-12] exist")
                .hasMessageContaining("clusterwright ssh demo demo11");
        assertThat(manager().sshAccess(DEMO).routes()).hasSize(2);
    }

    @Test
    void theTimeToLiveBeginsAgainWhenNoMachineIsKept() {
        ClusterSpec spec = spec(2).toBuilder().timeToLive(Duration.ofHours(8)).build();
        manager().create(spec, options()).close();
        Instant first = expires();
        provider.machines.remove(SECOND);
        manager().create(spec, options()).close();
        assertThat(expires()).as("a node was replaced").isEqualTo(first);
        assertThat(provider.expires).contains(first);

        provider.machines.clear();
        manager().create(spec, options()).close();
        assertThat(expires()).isAfter(first);
        assertThat(provider.expires).contains(expires());
        assertThat(manager().list().get(0).created()).contains(expires().minus(Duration.ofHours(8)));
    }

    private Instant expires() {
        return manager().list().get(0).expires().orElseThrow();
    }

    @Test
    void keysOfMachinesThatAreGoneAreDeleted() {
        create(3);
        assertThat(hostKeys()).containsExactly("host-demo11", "host-demo12", "host-demo13");

        manager().resize(DEMO, 2, options()).close();

        assertThat(hostKeys()).containsExactly("host-demo11", "host-demo12");
    }

    private List<String> hostKeys() {
        return Stream.of("demo-template", "demo-boottest", "demo11", "demo12", "demo13")
                .map(name -> "host-" + name)
                .filter(name -> store().secrets(DEMO).get(name).isPresent())
                .toList();
    }
}
