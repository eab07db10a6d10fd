package io.clusterwright.mpi;

import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;

/**
 * A scheduler that is asked over a network and runs jobs on nodes that nobody here holds a session to, such as a head node of HPC Pack. Safe for
 * use by several threads.
 */
public interface RemoteScheduler {

    /** The MPI its nodes have. */
    MpiInstallation installation();

    /**
     * Hands a job in; it may wait for nodes. When this throws, no job is left behind, or the message says which.
     *
     * @param request what is to run
     * @param command the launcher's command for it
     * @param limit after which the scheduler itself ends the job, so that it ends even when nobody asks any more
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler refuses it or does not answer
     * @throws IllegalArgumentException when the scheduler cannot express it
     */
    RemoteJob submit(LaunchRequest request, LaunchCommand command, Duration limit);
}
