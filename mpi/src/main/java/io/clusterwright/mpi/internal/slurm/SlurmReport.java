package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.LaunchFailure;
import io.clusterwright.mpi.internal.finding.MpiFindings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code srun} says on standard error about nodes and tasks. */
final class SlurmReport {
    private static final Pattern LAUNCH =
            Pattern.compile("srun: error: Task launch for StepId=\\S+ failed on node (\\S+): (.+)");
    private static final Pattern NODE_FAILURE = Pattern.compile("srun: error: Node failure on (\\S+)");
    private static final Pattern WAITS =
            Pattern.compile("srun: (Required node not available \\(down, drained or reserved\\))");
    private static final Pattern TASK = Pattern.compile("srun: error: (\\S+): tasks? ([\\d,-]+): (.+)");

    private SlurmReport() {}

    static Optional<LaunchFailure> failure(String line) {
        Matcher launch = LAUNCH.matcher(line);
        if (launch.matches()) {
            return Optional.of(LaunchFailure.byScheduler(launch.group(1), "srun says: " + launch.group(2)));
        }
        Matcher node = NODE_FAILURE.matcher(line);
        if (node.matches()) {
            return Optional.of(LaunchFailure.byScheduler(node.group(1), "srun says that the node failed"));
        }
        Matcher waits = WAITS.matcher(line);
        return waits.matches()
                ? Optional.of(LaunchFailure.byScheduler("a node of the job", "srun says: " + waits.group(1)))
                : Optional.empty();
    }

    /** The task that failed, if that is what the line says. The first such line names the culprit, the others follow from it. */
    static Optional<Finding> task(String line) {
        Matcher task = TASK.matcher(line);
        return task.matches()
                ? Optional.of(MpiFindings.taskFailed(task.group(2), task.group(1), task.group(3)))
                : Optional.empty();
    }
}
