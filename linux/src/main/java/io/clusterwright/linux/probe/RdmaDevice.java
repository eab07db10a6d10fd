package io.clusterwright.linux.probe;

import java.util.List;

/**
 * An RDMA device, such as an InfiniBand adapter.
 *
 * @param name such as {@code mlx5_0}
 * @param ports its ports by number
 */
public record RdmaDevice(String name, List<RdmaPort> ports) {

    /** Keeps a copy of the list. */
    public RdmaDevice {
        ports = List.copyOf(ports);
    }

    /** Whether data can pass through a port of it. */
    public boolean isActive() {
        return ports.stream().anyMatch(RdmaPort::isActive);
    }
}
