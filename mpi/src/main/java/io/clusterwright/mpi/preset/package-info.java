/** Presets: the settings of each MPI on each network, by version, with the reason and the source. */
@NullMarked
package io.clusterwright.mpi.preset;

import org.jspecify.annotations.NullMarked;
