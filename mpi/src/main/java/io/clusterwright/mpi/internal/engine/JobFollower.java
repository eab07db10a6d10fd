package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.internal.explain.FollowedOutput;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a job of a queue to its end without owning it. */
public final class JobFollower {
    private static final Logger LOG = LoggerFactory.getLogger(JobFollower.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofMinutes(3);

    private final ScheduledJob job;
    private final FollowedOutput output;

    /** Hands the lines of a job to a listener. */
    public JobFollower(QueuedJob job, Consumer<OutputLine> lines) {
        if (!(job instanceof ScheduledJob scheduled)) {
            throw new IllegalStateException("jobs of a queue are found by QueuedJob alone");
        }
        this.job = scheduled;
        this.output = new FollowedOutput(scheduled.launcher(), lines);
    }

    /** Waits for the end at most this long. */
    public Optional<QueuedJobResult> follow(Duration limit) {
        String goesOn = "the wait for " + job.name() + " was interrupted; the job goes on";
        Deadline deadline = Deadline.in("wait for " + job.name(), limit);
        Deadline answer = Deadline.in("answer of the scheduler", Duration.ZERO);
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        try {
            while (true) {
                QueuedJobStatus now = null;
                try {
                    now = job.poll(output);
                    answer = Deadline.in("answer of the scheduler", SILENCE);
                } catch (OperationInterruptedException e) {
                    throw new OperationInterruptedException(goesOn, e);
                } catch (ClusterwrightException e) {
                    if (answer.passed()) {
                        throw e;
                    }
                    LOG.debug("the scheduler did not answer about {}", job.name(), e);
                }
                output.check();
                if (now != null && now.ended()) {
                    return Optional.of(result(now));
                }
                if (deadline.passed()) {
                    return Optional.empty();
                }
                if (output.fresh()) {
                    pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
                }
                Duration pause = pauses.next();
                Tasks.interruptibly(goesOn, () -> deadline.sleep(pause));
            }
        } finally {
            output.finish();
        }
    }

    private QueuedJobResult result(QueuedJobStatus end) {
        output.finish();
        output.check();
        List<Finding> findings = new ArrayList<>();
        SchedulerEngine.problem(job, end).ifPresent(findings::add);
        findings.addAll(output.diagnosed());
        return new QueuedJobResult(end, job.ranks(), job.runTime(), output.tail(), findings);
    }
}
