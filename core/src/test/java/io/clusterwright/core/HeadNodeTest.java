package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A separate head node, from creation to removal. */
final class HeadNodeTest extends LifecycleFixture {
    private static final NodeName HEAD = new NodeName("login");

    private static ClusterSpec spec(int count) {
        return MemoryProvider.demo(count)
                .headNode(head -> head.size("Standard_D8s_v5").name("login"))
                .scheduler(Scheduler.SLURM)
                .build();
    }

    private static List<NodeName> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).toList();
    }

    @Test
    void isMadeFirstInItsOwnSizeAndRunsNoRanks() {
        try (Cluster cluster = manager().create(spec(2), CreateOptions.standard())) {
            assertThat(names(cluster.nodes())).containsExactly(HEAD, node(11), node(12));
            assertThat(cluster.head().name()).isEqualTo(HEAD);
            assertThat(names(cluster.computeNodes())).containsExactly(node(11), node(12));
        }
        assertThat(provider.machines.get(HEAD).size()).hasToString("Standard_D8s_v5");
        assertThat(provider.machines.get(node(11)).size()).hasToString("Standard_A9");
        assertThat(provider.existing).map(ResourceId::name).containsSubsequence("login", "demo11");
        assertThat(MemoryBackend.TOLD.get(HEAD)).hasSize(3);
        assertThat(MemoryBackend.TOLD.get(node(12))).hasSize(3);
        assertThat(MemoryBackend.CALLS).contains("scheduler of demo[11-12],login");
    }

    @Test
    void noNodeIsMadeBeforeTheHeadIsReady() {
        MemoryBackend.SILENT.add(HEAD);
        assertThatThrownBy(() -> manager().create(spec(2), CreateOptions.standard()))
                .isInstanceOf(CreateFailedException.class)
                .hasMessageContaining("the head node login is not ready, so no other node was created: ");
        assertThat(provider.machines).doesNotContainKey(node(11));
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void doesNotCountForTheQuorum() {
        MemoryBackend.SILENT.add(node(12));
        ClusterSpec two = spec(2).toBuilder().nodes(nodes -> nodes.quorum(2)).build();
        assertThatThrownBy(() -> manager().create(two, CreateOptions.standard()))
                .hasMessageContaining("1 nodes are ready and 2 are required (nodes.quorum); not ready: demo12");
    }

    @Test
    void staysAsItIsWhenTheNumberOfNodesChanges() {
        manager().create(spec(3), CreateOptions.standard()).close();
        Object before = provider.machines.get(HEAD);
        try (Cluster fewer = manager().resize(DEMO, 1, CreateOptions.standard())) {
            assertThat(names(fewer.nodes())).containsExactly(HEAD, node(11));
        }
        try (Cluster more = manager().resize(DEMO, 5, CreateOptions.standard())) {
            assertThat(names(more.computeNodes())).hasSize(5).doesNotContain(HEAD);
        }
        assertThat(provider.machines.get(HEAD)).isSameAs(before);
    }

    @Test
    void startsFirstAndStopsLast() {
        manager().create(spec(2), CreateOptions.standard()).close();
        provider.powered.clear();
        manager().stop(DEMO, event -> {});
        assertThat(provider.powered).containsExactly("stop demo[11-12]", "stop login");
        provider.powered.clear();
        manager().start(DEMO, event -> {}).close();
        assertThat(provider.powered).containsExactly("start login", "start demo[11-12]");
    }

    @Test
    void isReplacedWhenItIsGone() {
        manager().create(spec(2), CreateOptions.standard()).close();
        provider.machines.remove(HEAD);
        Object kept = provider.machines.get(node(11));
        try (Cluster again = manager().create(spec(2), CreateOptions.standard())) {
            assertThat(names(again.nodes())).containsExactly(HEAD, node(11), node(12));
        }
        assertThat(provider.machines.get(HEAD)).isNotNull();
        assertThat(provider.machines.get(node(11))).isSameAs(kept);
    }

    @Test
    void isListedAndOpened() {
        manager().create(spec(2), CreateOptions.standard()).close();
        assertThat(manager().list()).singleElement().satisfies(record -> {
            assertThat(record.headNode()).contains(HEAD);
            assertThat(names(record.nodes())).contains(HEAD);
        });
        try (Cluster opened = manager().open(DEMO)) {
            assertThat(opened.head().name()).isEqualTo(HEAD);
        }
        manager().destroy(DEMO, event -> {});
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void theFirstNodeIsTheHeadWithoutOne() {
        ClusterSpec plain = MemoryProvider.demo(2).build();
        assertThat(plain.headName()).isEqualTo(node(11));
        assertThat(plain.isSeparateHead(node(11))).isFalse();
        assertThat(spec(2).headName()).isEqualTo(HEAD);
        try (Cluster cluster = manager().create(plain, CreateOptions.standard())) {
            assertThat(cluster.head().name()).isEqualTo(node(11));
            assertThat(cluster.computeNodes()).isEqualTo(cluster.nodes());
        }
    }
}
