/** MPI jobs on the nodes of an HPC Pack cluster, handed in from any system through the head node's REST interface. */
@NullMarked
package io.clusterwright.windows.launch;

import org.jspecify.annotations.NullMarked;
