package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The result of a run; its components are those of {@link JobResult}. */
record EndedJob(
        Outcome outcome,
        MpiInstallation mpi,
        List<String> command,
        int ranks,
        OptionalInt exitStatus,
        Duration duration,
        List<OutputLine> outputTail,
        List<LaunchFailure> launchFailures,
        Map<NodeName, Leftovers> leftovers,
        List<Finding> findings,
        List<RankFailure> rankFailures)
        implements JobResult {

    EndedJob {
        launchFailures = List.copyOf(launchFailures);
        leftovers = Map.copyOf(leftovers);
        findings = List.copyOf(findings);
        rankFailures = List.copyOf(rankFailures);
    }

    @Override
    public JobResult with(List<Finding> more) {
        List<Finding> all = Stream.concat(findings.stream(), more.stream()).toList();
        return new EndedJob(
                outcome,
                mpi,
                command,
                ranks,
                exitStatus,
                duration,
                outputTail,
                launchFailures,
                leftovers,
                all,
                rankFailures);
    }
}
