package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.linux.internal.node.NodeFiles;
import java.util.HexFormat;
import java.util.Optional;

/** Kernel names of a cluster's parts: an interface name has 15 characters at most. */
record LinkNames(ClusterId cluster) {
    private static final String ALIAS_PREFIX = "clusterwright:";

    /** The routing protocol number that marks our guard routes. */
    static final String ROUTE_PROTOCOL = "129";

    private static final long METRIC_BASE = 1L << 28;

    String id() {
        return NodeFiles.sha256(cluster.name() + "/" + cluster.id()).substring(0, 6);
    }

    String bridge() {
        return "cw" + id() + "br";
    }

    /**
     * The bridge's own hardware address. Without one, a bridge takes the lowest of its ports' and so changes it while nodes
     * come and go, and a node that still knows the old one is cut off for seconds.
     */
    String bridgeMac() {
        String id = id();
        return "02:c1:" + id.substring(0, 2) + ":" + id.substring(2, 4) + ":" + id.substring(4, 6) + ":01";
    }

    /**
     * The hardware address of a node's interface. It follows from the node's address, so that a node made again is found at once by
     * those that still know where its predecessor was.
     */
    String nodeMac(Ipv4Address address) {
        String hex = HexFormat.of().toHexDigits(address.bits());
        return "06:" + id().substring(0, 2) + ":" + hex.substring(0, 2) + ":" + hex.substring(2, 4) + ":"
                + hex.substring(4, 6) + ":" + hex.substring(6);
    }

    String link(AddressRange subnet, Ipv4Address address) {
        return linkPrefix() + (address.toLong() - subnet.network().toLong());
    }

    String linkPrefix() {
        return "cw" + id() + "n";
    }

    String alias() {
        return ALIAS_PREFIX + cluster.name() + ":" + cluster.id();
    }

    /** The cluster that an alias names; empty when it is no alias of ours. */
    static Optional<ClusterId> owner(String alias) {
        String[] parts = alias.split(":", -1);
        if (parts.length != 3 || !alias.startsWith(ALIAS_PREFIX)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ClusterId(ClusterName.of(parts[1]), parts[2]));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    /** A low priority that only this cluster uses, by which its guard route is found. */
    long guardMetric() {
        return METRIC_BASE + Long.parseLong(id(), 16);
    }
}
