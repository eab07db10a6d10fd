package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.internal.job.JobFollower;
import io.clusterwright.mpi.internal.job.JobQueue;
import io.clusterwright.mpi.internal.launch.ClusterTarget;
import io.clusterwright.mpi.internal.launch.Hostfile;
import io.clusterwright.mpi.internal.launch.MpiDetection;
import io.clusterwright.mpi.internal.launch.SchedulerSources;
import io.clusterwright.mpi.internal.slurm.SlurmNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The door to the internal code behind this package: it makes the values whose classes are internal. */
final class Factories {
    private Factories() {}

    static JobTarget nodesOf(Cluster cluster, UserName user) {
        return ClusterTarget.of(cluster, user);
    }

    static SlurmTarget slurmOn(JobTarget nodes) {
        return SlurmNodes.of(nodes);
    }

    static JobTarget schedulerOf(ClusterSpec spec) {
        return SchedulerSources.target(spec);
    }

    static QueuedJob queuedJob(JobTarget target, String id) {
        return JobQueue.find(target, id);
    }

    static List<QueuedJob.Listed> queuedJobs(JobTarget target) {
        return JobQueue.list(target);
    }

    static Optional<QueuedJobStatus> awaitEnd(QueuedJob job, Duration limit) {
        return JobQueue.await(job, limit);
    }

    static Optional<QueuedJobResult> followed(QueuedJob job, Duration limit, Consumer<OutputLine> lines) {
        return new JobFollower(job, lines).follow(limit);
    }

    static String hostfile(JobTarget target, MpiFlavour flavour) {
        return Hostfile.text(target, flavour);
    }

    static List<MpiInstallation> installationsOn(NodeSession session) {
        return MpiDetection.of(session).installations();
    }
}
