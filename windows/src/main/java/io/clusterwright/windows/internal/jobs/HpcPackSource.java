package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.mpi.spi.SchedulerSource;
import io.clusterwright.mpi.spi.SchedulerTarget;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackTarget;

/** Reaches the head node of {@code hpcPack.head} over REST. */
public final class HpcPackSource implements SchedulerSource {

    /** Creates the source; it has no state. */
    public HpcPackSource() {}

    @Override
    public Scheduler scheduler() {
        return Scheduler.HPC_PACK;
    }

    /** The client stays open as long as the target is used; its threads end when they are idle. */
    @Override
    public SchedulerTarget target(ClusterSpec spec) {
        return HpcPackTarget.of(HpcPackClient.open(HpcPackConnection.of(spec)), spec);
    }
}
