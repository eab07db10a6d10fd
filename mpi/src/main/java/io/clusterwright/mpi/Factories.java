package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.internal.job.JobQueue;
import io.clusterwright.mpi.internal.launch.ClusterTarget;
import io.clusterwright.mpi.internal.launch.MpiDetection;
import io.clusterwright.mpi.internal.slurm.SlurmNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The door to the internal code behind this package: it makes the values whose classes are internal. */
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

    static Optional<QueuedJobStatus> awaitEnd(QueuedJob job, Duration limit) {
        return JobQueue.await(job, limit);
    }

    static List<MpiInstallation> installationsOn(NodeSession session) {
        return MpiDetection.of(session).installations();
    }
}
