/** The files of a cluster that this module knows how to write. */
@NullMarked
package io.clusterwright.mpi.internal.render;

import org.jspecify.annotations.NullMarked;
