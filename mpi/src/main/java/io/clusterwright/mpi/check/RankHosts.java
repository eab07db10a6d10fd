package io.clusterwright.mpi.check;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The nodes of a job by the host names that its ranks print. */
final class RankHosts {
    private final Map<String, NodeName> nodes = new LinkedHashMap<>();

    RankHosts(List<LaunchNode> nodes) {
        nodes.forEach(node -> this.nodes.put(plain(node.name().value()), node.name()));
    }

    Optional<NodeName> node(String hostName) {
        return Optional.ofNullable(nodes.get(plain(hostName)));
    }

    private static String plain(String name) {
        int dot = name.indexOf('.');
        return (dot < 0 ? name : name.substring(0, dot)).toLowerCase(Locale.ROOT);
    }
}
