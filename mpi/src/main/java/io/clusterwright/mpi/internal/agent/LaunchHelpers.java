package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import java.util.Map;

/** The helpers beside a running launcher on the nodes. */
public interface LaunchHelpers extends OutputListener, AutoCloseable {

    /** Called while the job's files are prepared; does not wait. */
    default void prepare() {}

    /** Called right before the launcher starts: waits shortly for what is still on its way. */
    default void ready() {}

    /** Called ten times a second while it runs; passes on which nodes were not reached or lost. */
    default void checkNodes() {}

    /** Whether another node of the job, which answers, finds no SSH server on the launch node. */
    boolean seeNoServer();

    /** Called after the launcher ended in a bad way: whether that was because a node is lost. */
    default boolean lostNode() {
        return false;
    }

    /** Called after the launcher ended well: what is known of processes that the job left, on some of the nodes. */
    Map<NodeName, Leftovers> leftovers();

    /** Lets go of everything; waits for nothing. */
    @Override
    void close();
}
