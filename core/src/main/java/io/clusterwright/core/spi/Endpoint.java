package io.clusterwright.core.spi;

import io.clusterwright.core.type.InvalidValueException;

/**
 * The address and port of a node's SSH server; not always the node's private address. A provider returns it for each
 * machine.
 *
 * @param host an address, never a name that needs resolving
 * @param port 1 to 65535
 * @see MachineProvider
 */
public record Endpoint(String host, int port) {
    /** Checks the port. */
    public Endpoint {
        if (port < 1 || port > 65_535) {
            throw new InvalidValueException("port", port, "1 to 65535", "22");
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
