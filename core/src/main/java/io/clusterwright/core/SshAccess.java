package io.clusterwright.core;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way of an SSH client from this machine to the nodes of a cluster, from {@link ClusterManager#sshAccess}. Use it
 * to run {@code ssh} or {@code rsync}: {@code SshClientConfig} of the {@code linux} module writes it as a
 * configuration of OpenSSH.
 *
 * @param user the account that may use {@code sudo}
 * @param identityFile the private key to log in with; it goes with the cluster
 * @param knownHostsFile the pinned host keys, under the names of the nodes; it goes with the cluster
 * @param routes one for each node, in their order
 * @see ClusterManager
 */
public record SshAccess(UserName user, Path identityFile, Path knownHostsFile, List<Route> routes) {

    /** Copies the list. */
    public SshAccess {
        routes = List.copyOf(routes);
    }

    /** The way to one node. */
    public static final class Route {
        private final NodeName node;
        private final Ipv4Address address;
        private final String host;
        private final int port;
        private final SshPublicKey hostKey;
        private final @Nullable NodeName through;

        /**
         * A way to a node.
         *
         * @param address its private address
         * @param host the address to dial
         * @param port the port to dial
         * @param hostKey the only host key accepted
         * @param through the node from which it is dialled; null where it is dialled from here
         */
        public Route(
                NodeName node,
                Ipv4Address address,
                String host,
                int port,
                SshPublicKey hostKey,
                @Nullable NodeName through) {
            this.node = node;
            this.address = address;
            this.host = host;
            this.port = port;
            this.hostKey = hostKey;
            this.through = through;
        }

        /** The node's name. */
        public NodeName node() {
            return node;
        }

        /** The node's private address. */
        public Ipv4Address address() {
            return address;
        }

        /** The address to dial. */
        public String host() {
            return host;
        }

        /** The port to dial. */
        public int port() {
            return port;
        }

        /** The only host key accepted. */
        public SshPublicKey hostKey() {
            return hostKey;
        }

        /** The node from which it is dialled; empty where it is dialled from here. */
        public Optional<NodeName> through() {
            return Optional.ofNullable(through);
        }
    }
}
