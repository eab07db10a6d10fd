/** Data files that travel with the module. */
@NullMarked
package io.clusterwright.mpi.internal.data;

import org.jspecify.annotations.NullMarked;
