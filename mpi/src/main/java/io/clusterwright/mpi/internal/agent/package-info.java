/** Not part of the API: pictures. */
@NullMarked
package io.clusterwright.mpi.internal.agent;

import org.jspecify.annotations.NullMarked;
