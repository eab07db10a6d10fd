/**
 * Interfaces for launchers and job schedulers of other modules.
 *
 * <p>Start with {@link Launcher} for a new mpirun, and with {@link SchedulerTarget} for a new scheduler. Users of jobs do not need
 * this package.
 */
@NullMarked
package io.clusterwright.mpi.spi;

import org.jspecify.annotations.NullMarked;
