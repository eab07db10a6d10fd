package io.clusterwright.core.spi;

/**
 * What one dials to reach a node; not always the node's private address.
 *
 * @param host an address, never a name that needs resolving
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
    /** Checks the port. */
    public Endpoint {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
