/** Plots as SVG. Not part of the API. */
@NullMarked
package io.clusterwright.mpi.internal.plot;

import org.jspecify.annotations.NullMarked;
