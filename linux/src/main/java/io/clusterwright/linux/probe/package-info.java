/** Limits, capabilities and RDMA devices of this machine, read through the kernel and the C library. */
@NullMarked
package io.clusterwright.linux.probe;

import org.jspecify.annotations.NullMarked;
