package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Extensions come when a node is ready and nobody changes its packages, and before the node is a member. */
class ExtensionOrderTest extends LifecycleFixture {
    private static final ClusterSpec SPEC = ClusterSpec.builder("demo")
            .region("westus")
            .nodes(n -> n.count(2)
                    .prefix("demo")
                    .firstIndex(11)
                    .quorum(1)
                    .size("Standard_HB120rs_v3")
                    .deadline(Duration.ofSeconds(2)))
            .image(i -> i.capture(false))
            .addExtension(Extensions.infiniBandDriverLinux())
            .build();

    private Cluster create() {
        ClusterManager manager =
                ClusterManager.builder(provider).stateStore(store()).build();
        return manager.create(SPEC);
    }

    @Test
    void waitsForThePackagesOfANodeBeforeItsExtension() {
        create().close();
        for (String node : new String[] {"demo11", "demo12"}) {
            assertThat(MemoryBackend.CALLS.stream().filter(call -> call.contains(node)))
                    .containsExactly("await packages of " + node, "extension on " + node, "join " + node + " of 2");
        }
    }

    @Test
    void deletesANodeWhosePackagesStayLockedAndContinues() {
        MemoryBackend.failing = "await packages of demo12";
        try (Cluster cluster = create()) {
            assertThat(cluster.nodes()).extracting(Node::name).containsExactly(new NodeName("demo11"));
        }
        assertThat(provider.machines).containsOnlyKeys(new NodeName("demo11"));
        assertThat(MemoryBackend.CALLS).doesNotContain("extension on demo12");
    }
}
