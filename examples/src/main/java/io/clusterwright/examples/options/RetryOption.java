package io.clusterwright.examples.options;

import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobResult;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The option to start a job again. */
public final class RetryOption {
    @Option(
            names = "--retry",
            paramLabel = "N",
            description = "After the loss of a node, start again on the others, at most N times; default: 0.")
    private int retries;

    /** Refuses what is no number of retries. */
    public void check() {
        if (retries < 0 || retries == Integer.MAX_VALUE) {
            throw new RefusedException("--retry " + retries + " is not a number of retries: give 0 or more");
        }
    }

    /** Runs a job, again as asked for, and prints the attempts that failed. */
    public JobResult run(PlacedMpiJob placed, Duration limit) {
        if (retries == 0) {
            return placed.run(limit);
        }
        JobAttempts attempts = placed.run(limit, JobPolicy.attempts(retries + 1));
        ProgressPrinter notes = new ProgressPrinter();
        for (JobAttempts.JobAttempt attempt : attempts.attempts()) {
            if (!attempt.result().succeeded()) {
                notes.line("attempt " + attempt.number() + " on " + NodeSet.fold(attempt.nodes()) + ": "
                        + ResultJson.word(attempt.result().outcome())
                        + (attempt.lost().isEmpty() ? "" : ", lost " + NodeSet.fold(attempt.lost()))
                        + (attempt.next().isEmpty() ? "" : "; " + attempt.next()));
            }
        }
        return attempts.result();
    }
}
