/**
 * Presets: the settings of each MPI on each network, by version, with the reason and the source.
 *
 * <p>Start with {@link MpiPresets}.
 */
@NullMarked
package io.clusterwright.mpi.preset;

import org.jspecify.annotations.NullMarked;
