/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.job;

import org.jspecify.annotations.NullMarked;
