package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A node is deleted only if its provider says that it is gone or failed, or if the user asks. */
@ResourceLock(MemoryBackend.LOCK)
final class NodeReplacementTest {
    private static final ClusterName NAME = new ClusterName("demo");
    private static final NodeName SECOND = new NodeName("demo12");

    @TempDir
    Path folder;

    private final MemoryProvider provider = new MemoryProvider();
    private final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void reset() {
        MemoryBackend.reset();
    }

    private ClusterManager manager() {
        return provider.manager(folder);
    }

    private static ClusterSpec spec(int count) {
        return MemoryProvider.demo(count).build();
    }

    private CreateOptions options() {
        return CreateOptions.standard().listener(events::add);
    }

    private void create(int count) {
        manager().create(spec(count)).close();
        events.clear();
        MemoryBackend.CALLS.clear();
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

    @Test
    void aRunningNodeThatDoesNotAnswerIsNamedAndNothingChanges() {
        create(3);
        MemoryBackend.SILENT.add(SECOND);
        List<String> before = StateStore.in(folder).read(NAME);

        for (int count : List.of(4, 3)) {
            assertThatThrownBy(() -> manager().resize(NAME, count, options()))
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
                .hasMessageStartingWith("cluster demo was not created: demo12 exists and does not answer");

        assertThat(provider.machines).hasSize(3);
        assertThat(in(NodePhase.CREATING)).isEmpty();
        assertThat(StateStore.in(folder).read(NAME)).isEqualTo(before);
        assertThat(manager().list()).singleElement().satisfies(record -> {
            assertThat(record.phase()).isEqualTo(ClusterPhase.READY);
            assertThat(record.nodes()).hasSize(3);
        });

        MemoryBackend.SILENT.clear();
        manager().resize(NAME, 4, options()).close();
        assertThat(in(NodePhase.CREATING)).containsExactly(new NodeName("demo14"));
    }

    @Test
    void severalSilentNodesAreFoldedWithTheFirstReasons() {
        create(8);
        for (int i = 11; i < 18; i++) {
            MemoryBackend.SILENT.add(new NodeName("demo" + i));
        }
        assertThatThrownBy(() -> manager().resize(NAME, 9, options()))
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

        manager().resize(NAME, 3, options().replaceUnreachable()).close();

        assertThat(in(NodePhase.CREATING)).containsExactly(SECOND);
        assertThat(provider.machines).hasSize(3);
    }

    @Test
    void startsAStoppedNodeAndKeepsIt() {
        create(3);
        provider.stopped.add(SECOND);

        manager().resize(NAME, 3, options()).close();

        assertThat(in(NodePhase.CREATING)).isEmpty();
        assertThat(provider.stopped).isEmpty();
    }

    @Test
    void reportsAStoppedNodeThatDoesNotStart() {
        create(3);
        provider.stopped.add(SECOND);
        provider.unstartable.add(SECOND);

        assertThatThrownBy(() -> manager().resize(NAME, 4, options()))
                .hasMessageContaining("demo12: it is stopped: no capacity to start demo12")
                .hasMessageContaining("nothing was deleted or made");

        assertThat(provider.machines).hasSize(3);
    }

    @Test
    void replacesANodeThatItsProviderReportsAsFailedOrAbsent() {
        create(3);
        provider.broken.add(SECOND);
        provider.machines.remove(new NodeName("demo13"));

        manager().resize(NAME, 3, options()).close();

        assertThat(in(NodePhase.CREATING)).containsExactly(SECOND, new NodeName("demo13"));
        assertThat(provider.broken).isEmpty();
    }

    @Test
    void deletesASurplusNodeThatDoesNotAnswer() {
        create(3);
        MemoryBackend.SILENT.add(new NodeName("demo13"));

        manager().resize(NAME, 2, options()).close();

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
}
