/** MPI presets, host files, launch commands, launchers and fabric checks. */
@NullMarked
package io.clusterwright.mpi;

import org.jspecify.annotations.NullMarked;

