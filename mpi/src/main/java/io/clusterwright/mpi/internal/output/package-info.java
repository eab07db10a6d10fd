/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.output;

import org.jspecify.annotations.NullMarked;
