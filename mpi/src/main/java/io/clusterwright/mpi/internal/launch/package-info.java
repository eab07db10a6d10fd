/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.launch;

import org.jspecify.annotations.NullMarked;
