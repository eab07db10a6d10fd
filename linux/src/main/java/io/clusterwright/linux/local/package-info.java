/**
 * Real Linux nodes on this machine.
 *
 * <p>Start with {@link LocalMachines}, and give it to a {@code ClusterManager}. {@link Requirement} names what this
 * machine lacks.
 */
@NullMarked
package io.clusterwright.linux.local;

import org.jspecify.annotations.NullMarked;
