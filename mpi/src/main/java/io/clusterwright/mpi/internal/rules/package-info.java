/** Rules that need to know MPI. */
@NullMarked
package io.clusterwright.mpi.internal.rules;

import org.jspecify.annotations.NullMarked;
