package io.clusterwright.azure.internal.scaleset;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InstanceAssignmentsTest {
    private static final String LONG_NAME = "simulation-of-the-weather-over-europe-v2-";

    private static Map<String, String> written(Map<NodeName, String> claims) {
        Map<String, String> tags = InstanceAssignments.write(Map.of(), claims);
        assertThat(InstanceAssignments.read(tags)).isEqualTo(claims);
        assertThat(tags.values()).allMatch(value -> value.length() <= 256);
        return tags;
    }

    @Test
    void writesFollowingNodesAndInstancesAsOneRange() {
        Map<NodeName, String> claims = new TreeMap<>();
        IntStream.range(8, 13).forEach(i -> claims.put(new NodeName("cluster" + i), Integer.toString(i - 8)));
        claims.put(new NodeName("cluster20"), "9");
        claims.put(new NodeName("cluster007"), "6");
        claims.put(new NodeName("head"), "7");
        assertThat(written(claims))
                .containsOnly(Map.entry("clusterwright-nodes-1", "cluster 8-12=0 20=9 cluster00 7=6 head =7"));
    }

    @Test
    void readsNamesThatAreWrittenInFull() {
        assertThat(InstanceAssignments.read(Map.of("clusterwright-nodes-1", "cluster11=0 cluster12=1", "owner", "a=b")))
                .isEqualTo(Map.of(new NodeName("cluster11"), "0", new NodeName("cluster12"), "1"));
    }

    @Test
    void threeHundredNodesWithLongNamesInAnyOrderNeedFewerTagsThanAzureAllows() {
        List<Integer> instances =
                new ArrayList<>(IntStream.range(1000, 1300).boxed().toList());
        Collections.shuffle(instances, new Random(42));
        Map<NodeName, String> claims = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            claims.put(new NodeName(LONG_NAME + (1000 + i)), instances.get(i).toString());
        }
        assertThat(written(claims)).hasSizeLessThan(20);
    }
}
