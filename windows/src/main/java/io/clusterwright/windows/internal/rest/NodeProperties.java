package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackNodeGroup;
import io.clusterwright.windows.hpcpack.NodeHealth;
import io.clusterwright.windows.hpcpack.NodeState;
import io.clusterwright.windows.hpcpack.Properties;
import java.util.Arrays;
import java.util.List;

/** Nodes and groups as the generations before 2019 tell of them: names and texts. */
final class NodeProperties {
    private NodeProperties() {}

    static HpcPackNode node(Properties row) {
        return new HpcPackNode(
                row.text("Name"),
                NodeState.parse(row.text("State")),
                health(row),
                row.number("NumberOfCores").orElse(row.number("Cores").orElse(0)),
                row.number("NumberOfSockets").orElse(row.number("Sockets").orElse(0)),
                row.number("MemorySize").orElse(0),
                list(row.text("NodeGroups")),
                row.text("TemplateName"));
    }

    /** Older versions say {@code Reachable} instead. */
    private static NodeHealth health(Properties row) {
        return row.get("Health")
                .map(NodeHealth::parse)
                .orElseGet(() -> row.get("Reachable")
                        .map(text -> Boolean.parseBoolean(text) ? NodeHealth.OK : NodeHealth.ERROR)
                        .orElse(NodeHealth.UNKNOWN));
    }

    static HpcPackNodeGroup group(Properties row) {
        return new HpcPackNodeGroup(row.text("Name"), row.text("Description"), false);
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
