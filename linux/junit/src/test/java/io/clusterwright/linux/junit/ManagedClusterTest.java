package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Command;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests that change their cluster, each followed by a test that sees the change. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManagedClusterTest {
    private final ClusterManager clusters;

    ManagedClusterTest(ClusterManager clusters) {
        this.clusters = clusters;
    }

    @Test
    @Order(1)
    void stopsAndStartsTheCluster(Cluster cluster, ClusterManager parameter) {
        assertThat(parameter).isSameAs(clusters);
        assertThat(clusters.stop(cluster.name()).phase()).isEqualTo(ClusterSummary.ClusterPhase.STOPPED);
        clusters.start(cluster.name()).close();
    }

    @Test
    @Order(2)
    void usesTheStartedClusterAndResizesIt(Cluster cluster) {
        assertThat(cluster.run(Command.of("true")).successes()).hasSize(2);
        clusters.resize(cluster.name(), 3).close();
        assertThat(cluster.nodes()).hasSize(2);
    }

    @Test
    @Order(3)
    void hasTheNodesOfTheResizedCluster(Cluster cluster) {
        assertThat(cluster.run(Command.of("true")).successes()).hasSize(3);
    }

    @Test
    @Order(4)
    void replacesALostNode(Cluster cluster) {
        NodeName lost = cluster.nodes().get(2).name();
        cluster.run(Command.of("sudo", "pkill", "-x", "sshd"), List.of(lost), cluster.loginUser());
        clusters.create(cluster.spec(), CreateOptions.standard().replaceUnreachable())
                .close();
    }

    @Test
    @Order(5)
    void hasTheReplacedNode(Cluster cluster) {
        assertThat(cluster.run(Command.of("true")).successes()).hasSize(3);
    }

    @Test
    @Order(6)
    void reportsAClosedManagerAndDestroysTheCluster() {
        assertThat(TestRun.of(Closing.class))
                .singleElement()
                .asString()
                .contains(Closing.class.getName() + ": a test closed the ClusterManager of @LocalCluster; remove");
        assertThat(ClusterManager.list(StateStore.standard()))
                .extracting(ClusterSummary::name)
                .doesNotContain(Closing.name);
    }

    @LocalCluster(nodes = 1)
    static class Closing {
        static ClusterName name = ClusterName.of("none");

        @Test
        void closesTheManager(Cluster cluster, ClusterManager clusters) {
            name = cluster.name();
            clusters.close();
        }
    }
}
