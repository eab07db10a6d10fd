package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.List;

/**
 * A host key and the names it is known under. Use it to pin the key of a host.
 *
 * @param hosts names, addresses, or {@code [host]:port} where the port is not 22
 * @param key the public host key
 * @see KnownHosts
 */
public record KnownHost(List<String> hosts, SshPublicKey key) {

    /**
     * Checks the names.
     *
     * @throws InvalidValueException when no host is given or one is not as described
     */
    public KnownHost {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty()) {
            SshHost.requireHost("");
        }
        for (String host : hosts) {
            if (host.startsWith("[")) {
                int end = host.indexOf("]:");
                SshHost.requireHost(host.substring(1, Math.max(end, 1)));
                String port = host.substring(end + 2);
                SshHost.requirePort(port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0);
            } else {
                SshHost.requireHost(host);
            }
        }
    }

    /** A node under its name and its address. */
    public static KnownHost of(NodeName node, Ipv4Address address, SshPublicKey key) {
        return new KnownHost(List.of(node.value(), address.toString()), key);
    }

    /** The name of a host whose SSH server does not listen on port 22. */
    public static String atPort(String host, int port) {
        return SshHost.requirePort(port) == 22 ? host : "[" + SshHost.requireHost(host) + "]:" + port;
    }

    String line(List<String> someHosts) {
        return String.join(",", someHosts) + " " + key.type() + " " + key.base64();
    }
}
