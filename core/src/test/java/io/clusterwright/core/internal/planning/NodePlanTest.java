package io.clusterwright.core.internal.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import org.junit.jupiter.api.Test;

class NodePlanTest {
    private static ClusterSpec.Builder spec(int nodes) {
        return ClusterSpec.builder("wing")
                .region("here")
                .nodes(group -> group.count(nodes).size("Standard_HB120rs_v3").firstIndex(11))
                .network(network -> network.addressSpace("10.32.0.0/24"));
    }

    @Test
    void startsAtTheFifthAddressAndHasTheTemplateAfterTheNodes() {
        NodePlan plan = NodePlan.of(spec(3).build());
        assertThat(plan.nodes()).containsEntry(NodeName.of("wing11"), Ipv4Address.of("10.32.0.4"));
        assertThat(plan.nodes()).containsEntry(NodeName.of("wing13"), Ipv4Address.of("10.32.0.6"));
        assertThat(plan.heads()).isEmpty();
        assertThat(plan.templateAddress()).hasToString("10.32.0.7");
    }

    @Test
    void givesHeadAndTemplateSeparateAddresses() {
        NodePlan plan = NodePlan.of(
                spec(3).headNode(head -> head.size("Standard_D8s_v5")).build());
        assertThat(plan.heads()).containsEntry(NodeName.of("wing10"), Ipv4Address.of("10.32.0.4"));
        assertThat(plan.nodes()).containsEntry(NodeName.of("wing11"), Ipv4Address.of("10.32.0.5"));
        assertThat(plan.machines().keySet()).first().hasToString("wing10");
        assertThat(plan.templateAddress()).hasToString("10.32.0.8");
    }

    @Test
    void keepsTheAddressOfTheHeadWhenTheNumberOfNodesChanges() {
        for (String first : new String[] {"10.32.0.4", "10.32.0.11"}) {
            ClusterSpec small = spec(3).headNode(head -> head.size("Standard_D8s_v5"))
                    .network(network -> network.addressSpace("10.32.0.0/24").firstAddress(first))
                    .build();
            assertThat(NodePlan.of(small.withNodeCount(9)).heads())
                    .isEqualTo(NodePlan.of(small).heads());
        }
    }
}
