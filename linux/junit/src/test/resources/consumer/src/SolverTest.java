import static org.junit.jupiter.api.Assertions.assertEquals;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.linux.junit.LocalCluster;
import org.junit.jupiter.api.Test;

@LocalCluster(nodes = 1)
class SolverTest {

    @Test
    void runsOnANode(Cluster cluster) {
        assertEquals(1, cluster.run(Command.of("true")).successes().size());
    }
}
