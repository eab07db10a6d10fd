/** The ping-pong jobs of the article about RDMA clusters of HPC Pack. */
@NullMarked
package io.clusterwright.windows.internal.pingpong;

import org.jspecify.annotations.NullMarked;
