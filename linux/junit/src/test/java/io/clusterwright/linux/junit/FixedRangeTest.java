package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
@LocalCluster(nodes = 1, description = FixedRangeTest.Range.class, otherwise = LocalCluster.Otherwise.SKIP)
class FixedRangeTest {

    @Test
    void aRangeIsGivenOnce(Cluster cluster) {
        assertThat(cluster.nodes().get(0).address()).asString().startsWith("10.127.3.");
    }

    /** A range outside of those that are searched. */
    static final class Range implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            spec.network(network -> network.addressSpace("10.127.3.0/24"));
        }
    }
}
