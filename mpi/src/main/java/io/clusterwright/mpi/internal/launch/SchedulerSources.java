package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.spi.SchedulerSource;
import io.clusterwright.mpi.spi.SchedulerTarget;

/** Schedulers apart from the nodes, found in all modules. */
public final class SchedulerSources {
    private SchedulerSources() {}

    /** The nodes of the scheduler that a spec names. */
    public static SchedulerTarget target(ClusterSpec spec) {
        return Services.of(SchedulerSource.class).stream()
                .filter(source -> source.scheduler() == spec.scheduler())
                .findFirst()
                .orElseThrow(() -> InvalidValueException.of(
                        "scheduler " + spec.scheduler() + " cannot be reached without a cluster",
                        "use scheduler: hpc-pack with hpcPack.head, and put clusterwright-windows on the class path"))
                .target(spec);
    }
}
