/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.slurm;

import org.jspecify.annotations.NullMarked;
