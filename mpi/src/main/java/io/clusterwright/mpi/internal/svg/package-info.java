/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.svg;

import org.jspecify.annotations.NullMarked;
