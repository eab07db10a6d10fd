package io.clusterwright.azure.internal.network;

import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.ScriptChannel;
import java.util.function.Function;

/**
 * How the nodes of a cluster are reached.
 *
 * @param relays whether by Run Command, and not dialled
 * @param endpoint where to dial
 * @param relay what runs scripts
 */
public record TransportFactory(boolean relays, Function<Machine, Endpoint> endpoint, Function<Machine, ScriptChannel> relay) {

    public NodeTransport open(NodeBackend backend) {
        return relays ? backend.openRelayTransport() : backend.openTransport();
    }
}
