package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.Collection;

/**
 * Nodes whose jobs a scheduler queues and runs, such as Slurm or a head node of HPC Pack. A target that is a {@link NodeTarget} too runs jobs
 * at once over sessions, and queues those that are submitted; the scheduler of one that is not gets both.
 */
public interface SchedulerTarget extends LaunchTarget {

    /**
     * Submits a job, which may wait for nodes. When this throws, no job is left behind, or the message says which.
     *
     * @param request the job
     * @param limit the time after which the scheduler itself ends the job, so that it ends even when no client asks any more
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler refuses it or does not answer
     * @throws io.clusterwright.core.type.InvalidValueException when the scheduler cannot express it
     */
    ScheduledJob submit(LaunchRequest request, Duration limit);

    /**
     * The job of this id; does not ask the scheduler.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when no job of this scheduler can have such an id
     */
    ScheduledJob find(String id);

    @Override
    SchedulerTarget only(Collection<NodeName> names);
}
