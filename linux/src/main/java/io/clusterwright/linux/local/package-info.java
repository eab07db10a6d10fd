/**
 * Real Linux nodes on this machine.
 *
 * <p>Start with {@link LocalMachines}, and give it to a {@code ClusterManager}.
 */
@NullMarked
package io.clusterwright.linux.local;

import org.jspecify.annotations.NullMarked;
