package io.clusterwright.mpi;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands a job to a scheduler that is asked over a network.
 *
 * @param findings what is to be said about the job before it starts
 */
record RemoteStart(
        JobTarget target,
        RemoteScheduler scheduler,
        LaunchRequest request,
        LaunchCommand command,
        JobOutput output,
        List<Finding> findings) {

    /** Refuses what needs a session to a node. */
    static void requireCarried(MpiJob job) {
        if (job.input() != null || !job.filesIn().isEmpty() || !job.filesOut().isEmpty()) {
            throw new IllegalArgumentException(
                    "a job of a remote scheduler gets no standard input and no files from here: nobody"
                            + " here holds a session to its nodes; let the program read and write on a share, and leave stdin, stageIn"
                            + " and stageOut out");
        }
        if (job.wantedPath() != null) {
            throw new IllegalArgumentException("a remote scheduler starts the ranks itself: leave launchOver out");
        }
    }

    RunningJob start(Duration limit, @Nullable RankFiles files) {
        if (!command.files().isEmpty()) {
            throw new IllegalArgumentException(
                    "the launcher of " + request.mpi() + " needs files on the launch node, to which"
                            + " nobody here holds a session: use one that writes a command alone");
        }
        RemoteJob job = scheduler.submit(request, command, limit);
        RemoteSupervisor supervisor = new RemoteSupervisor(
                target, request, command, job, output, findings, outcome -> files == null ? List.of() : files.finish());
        if (files != null) {
            supervisor.result().whenComplete((result, failure) -> files.close());
        }
        supervisor.start(limit);
        return new RunningJob(supervisor);
    }
}
