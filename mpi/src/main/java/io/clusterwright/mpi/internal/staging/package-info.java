/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.staging;

import org.jspecify.annotations.NullMarked;
