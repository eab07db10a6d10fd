/** Microsoft HPC Pack: REST client, jobs, nodes, and jobs of MPI. */
@NullMarked
package io.clusterwright.windows.hpcpack;

import org.jspecify.annotations.NullMarked;
