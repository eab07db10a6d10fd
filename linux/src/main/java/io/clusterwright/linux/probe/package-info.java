/**
 * Limits, capabilities and RDMA devices of this machine, read through the kernel and the C library.
 *
 * <p>Start with {@link RdmaDevice} for adapters and {@link MemlockProbe} for the limit of locked memory.
 */
@NullMarked
package io.clusterwright.linux.probe;

import org.jspecify.annotations.NullMarked;
