package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
@LocalCluster(nodes = 3, spec = "cluster.yaml")
class SpecFileTest {

    @Test
    void overridesTheNumberOfNodes(Cluster cluster) {
        assertThat(cluster.nodes())
                .extracting(node -> node.name().value())
                .containsExactly("solver1", "solver2", "solver3");
        assertThat(cluster.run(Command.of("true")).successes()).hasSize(3);
    }

    @Test
    void keepsTheRestOfTheFile(Cluster cluster) {
        assertThat(cluster.spec().tags()).containsEntry("purpose", "solver");
        assertThat(cluster.loginUser()).hasToString("solver");
        assertThat(cluster.mpiUser()).hasToString("hpcuser");
        assertThat(cluster.name()).asString().startsWith("junit-");
    }
}
