/**
 * Checks of the nodes: host names, locked memory, ping-pong, transport.
 *
 * <p>Start with {@link HostnameCheck} to see that every node starts ranks, and {@link PingPongCheck} to measure two
 * nodes. {@code FabricCheck} measures all pairs of nodes.
 */
@NullMarked
package io.clusterwright.mpi.check;

import org.jspecify.annotations.NullMarked;
