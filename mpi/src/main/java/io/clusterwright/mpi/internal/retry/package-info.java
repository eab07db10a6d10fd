/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.retry;

import org.jspecify.annotations.NullMarked;
