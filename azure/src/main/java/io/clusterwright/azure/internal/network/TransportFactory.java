package io.clusterwright.azure.internal.network;

import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.ScriptChannel;
import java.util.function.Function;

/**
 * Opens the transport to the nodes of a cluster.
 *
 * @param relays whether by Run Command instead of SSH
 * @param endpoint the SSH endpoint of a machine
 * @param relay the channel for scripts on a machine
 */
public record TransportFactory(
        boolean relays, Function<Machine, Endpoint> endpoint, Function<Machine, ScriptChannel> relay) {

    public NodeTransport open(NodeBackend backend) {
        return relays ? backend.openRelayTransport() : backend.openTransport();
    }
}
