/**
 * Microsoft HPC Pack: REST client, jobs, nodes, and MPI jobs.
 *
 * <p>Start with {@link HpcPackConnection} and {@link HpcPackClient}; {@link HpcPackTarget} runs MPI jobs on a head node.
 */
@NullMarked
package io.clusterwright.windows.hpcpack;

import org.jspecify.annotations.NullMarked;
