package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.cluster.Node;
import io.clusterwright.core.manager.ClusterSummary;
import io.clusterwright.core.plan.Finding;
import java.util.List;
import java.util.Locale;

/** The JSON forms of what the library returns. */
final class Descriptions {
    private Descriptions() {}

    static ObjectNode cluster(ClusterSummary cluster) {
        ObjectNode json = Common.JSON.createObjectNode();
        json.put("name", cluster.name().value());
        json.put("provider", cluster.provider());
        json.put("phase", cluster.phase());
        json.put("created", cluster.created().toString());
        cluster.expires().ifPresent(time -> json.put("expires", time.toString()));
        ArrayNode nodes = json.putArray("nodes");
        for (Node node : cluster.nodes()) {
            nodes.addObject()
                    .put("name", node.name().value())
                    .put("address", node.address().toString())
                    .put("interconnect", node.interconnect().name().toLowerCase(Locale.ROOT))
                    .put("hostKey", node.hostKey().fingerprint());
        }
        return json;
    }

    static ArrayNode findings(List<Finding> findings) {
        ArrayNode array = Common.JSON.createArrayNode();
        for (Finding finding : findings) {
            array.addObject()
                    .put("code", finding.code())
                    .put("severity", finding.severity().name())
                    .put("path", finding.path())
                    .put("message", finding.message())
                    .put("remedy", finding.remedy());
        }
        return array;
    }
}
