/**
 * Presets: the settings of each MPI on each network, by version, with the reason and the source.
 *
 * <p>Start with {@link MpiPresets}, which chooses a preset for a size or a network. A job takes the preset of its
 * nodes by itself.
 */
@NullMarked
package io.clusterwright.mpi.preset;

import org.jspecify.annotations.NullMarked;
