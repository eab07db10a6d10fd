/** Interfaces for launchers and job schedulers of other modules. */
@NullMarked
package io.clusterwright.mpi.spi;

import org.jspecify.annotations.NullMarked;
