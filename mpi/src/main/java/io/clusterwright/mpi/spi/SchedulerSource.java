package io.clusterwright.mpi.spi;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;

/**
 * Reaches a kind of scheduler that runs apart from the nodes. Implement it so that a spec can name the scheduler.
 * Found through {@link java.util.ServiceLoader}.
 *
 * @see SchedulerTarget
 */
public interface SchedulerSource {

    /** The scheduler, as a spec names it. */
    Scheduler scheduler();

    /**
     * The nodes of the scheduler that a spec names.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when it does not answer, or no node takes jobs
     * @throws io.clusterwright.core.type.InvalidValueException when the spec does not say where it is
     */
    SchedulerTarget target(ClusterSpec spec);
}
