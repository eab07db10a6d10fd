/** Not part of the API: the proofs of this module as checks that {@code create} and {@code verify} run. */
@NullMarked
package io.clusterwright.mpi.internal.check;

import org.jspecify.annotations.NullMarked;
