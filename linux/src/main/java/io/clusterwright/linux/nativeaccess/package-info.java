/** Resource limits, CPU affinity and RDMA devices as this machine reports them. */
@NullMarked
package io.clusterwright.linux.nativeaccess;

import org.jspecify.annotations.NullMarked;
