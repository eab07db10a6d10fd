package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class AbandonedClusterTest {

    @Test
    void aClusterThatAnotherProcessDestroysIsLeftToIt(@TempDir Path folder) {
        StateStore store = StateStore.inFolder(folder);
        ForkIdentity fork = ForkIdentity.current();
        ClusterName abandoned = new ForkIdentity(fork.pid(), 1).nextName();
        try (ClusterManager manager =
                ClusterManager.builder(LocalMachines.create()).stateStore(store).build()) {
            ClusterSpec spec = ClusterSpec.builder(abandoned.value())
                    .network(network -> network.addressSpace(fork.nextAddressSpace()))
                    .nodes(nodes -> nodes.count(1))
                    .image(image -> image.capture(false))
                    .build();
            manager.create(spec).close();

            try (StateStore.Writer held = store.open(abandoned)) {
                TestCluster.destroyAbandoned(manager);
            }
            assertThat(manager.list()).hasSize(1);

            TestCluster.destroyAbandoned(manager);
            assertThat(manager.list()).isEmpty();
        }
    }
}
