/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.finding;

import org.jspecify.annotations.NullMarked;
