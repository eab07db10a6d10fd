package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.internal.job.JobQueue;
import io.clusterwright.mpi.internal.launch.ClusterTarget;
import io.clusterwright.mpi.internal.launch.MpiDetection;
import io.clusterwright.mpi.internal.slurm.SlurmNodes;
import java.util.List;

/** Makes the values of this package whose classes are internal. */
final class Factories {
    private Factories() {}

    static JobTarget nodesOf(Cluster cluster, UserName user) {
        return ClusterTarget.of(cluster, user);
    }

    static SlurmTarget slurmOn(JobTarget nodes) {
        return SlurmNodes.of(nodes);
    }

    static QueuedJob queuedJob(JobTarget target, String id) {
        return JobQueue.find(target, id);
    }

    static List<MpiInstallation> installationsOn(NodeSession session) {
        return MpiDetection.of(session).installations();
    }
}
