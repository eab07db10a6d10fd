package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.NodeName;
import java.util.Collection;

/**
 * Nodes whose jobs a scheduler queues and runs. A target that is a {@link NodeTarget} too runs jobs at once over sessions, and queues those
 * that are submitted; the scheduler of one that is not gets both.
 */
public interface SchedulerTarget extends LaunchTarget {

    /** The scheduler of these nodes. */
    JobScheduler scheduler();

    @Override
    SchedulerTarget only(Collection<NodeName> names);
}
