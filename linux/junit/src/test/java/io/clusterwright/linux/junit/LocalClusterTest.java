package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
@LocalCluster(nodes = 2, description = LocalClusterTest.Tagged.class)
class LocalClusterTest {
    private final Cluster cluster;

    LocalClusterTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void hasTheRequestedNodes() {
        assertThat(cluster.nodes()).extracting(node -> node.name().value()).containsExactly("node1", "node2");
        for (Node node : cluster.nodes()) {
            NodeSession session = cluster.session(node.name());
            assertThat(session.run(Command.of("hostname")).orThrow().stdout().strip())
                    .isEqualTo(node.name().value());
        }
    }

    @Test
    void isSharedByAllTests(Cluster parameter) {
        assertThat(parameter).isSameAs(cluster);
    }

    @Test
    void followsTheDescription() {
        assertThat(cluster.spec().tags()).containsEntry("purpose", "test");
    }

    @Test
    void hasTheMachinesAndTheListenerOfTheDescription() {
        assertThat(Tagged.READY).containsExactlyInAnyOrder("node1", "node2");
        assertThat(Tagged.STORE).isDirectory();
    }

    @Nested
    class InANestedClass {
        @Test
        void isSharedWithTheOuterClass(Cluster parameter) {
            assertThat(parameter).isSameAs(cluster);
        }
    }

    /** Adds a tag, moves the images, counts the nodes that are ready. */
    static final class Tagged implements LocalCluster.Description {
        static final List<String> READY = new CopyOnWriteArrayList<>();
        static final Path STORE = Path.of("target/store").toAbsolutePath();

        @Override
        public void describe(ClusterSpec.Builder spec) {
            spec.putTag("purpose", "test");
        }

        @Override
        public void machines(LocalMachines.Builder machines) {
            machines.storeFolder(STORE);
        }

        @Override
        public void onEvent(ClusterEvent event) {
            if (event instanceof ClusterEvent.NodeChanged changed && changed.phase() == ClusterEvent.NodePhase.READY) {
                READY.add(changed.node().value());
            }
        }
    }
}
