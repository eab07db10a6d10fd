package io.clusterwright.examples.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class FrontDoorTest {
    @TempDir
    Path folder;

    private ClusterManager clusters;

    @BeforeEach
    void open() {
        clusters = ClusterManager.builder(LocalMachines.builder()
                        .storeFolder(folder.resolve("images"))
                        .build())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build();
    }

    @AfterEach
    void close() {
        clusters.destroy(spec().name());
        clusters.pruneImages();
        clusters.close();
    }

    private static ClusterSpec spec() {
        return ClusterSpec.builder("front-door")
                .region("local")
                .nodes(n -> n.count(2).prefix("front").firstIndex(1).size("local"))
                .network(n -> n.addressSpace("10.89.0.0/16").subnet("nodes", "10.89.0.0/24"))
                .build();
    }

    @Test
    void createsAClusterAndRunsAJob() {
        ClusterSpec spec = spec().toBuilder().image(i -> i.capture(false)).build();

        try (Cluster cluster = clusters.create(spec)) {
            JobResult result =
                    MpiJob.of("hostname").ranksPerNode(1).on(cluster).run().orThrow();
            assertThat(result.succeeded()).isTrue();
            assertThat(clusters.destroy(cluster.name()).left()).isEmpty();
        }

        assertThat(clusters.list()).isEmpty();
    }

    @Test
    void buildsAnImageWithoutACluster() {
        StoredImage image = clusters.buildImage(spec());

        assertThat(image.proven()).isTrue();
        assertThat(clusters.images()).containsExactly(image);
        assertThat(clusters.list()).isEmpty();
    }
}
