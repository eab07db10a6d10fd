package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.internal.explain.FollowedOutput;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits jobs to the queue of a scheduler, finds them again, and watches them to their end without owning them. */
public final class JobQueue {
    private static final Logger LOG = LoggerFactory.getLogger(JobQueue.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE_OF_OUTPUT = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofMinutes(3);

    private JobQueue() {}

    /** The job of this id. */
    public static QueuedJob find(JobTarget target, String id) {
        return queueOf(target).find(id);
    }

    /** The jobs that the scheduler knows. */
    public static List<QueuedJob.Listed> list(JobTarget target) {
        return queueOf(target).jobs();
    }

    public static QueuedJob submit(JobDescription job, JobTarget target, Duration limit) {
        SchedulerTarget queue = queueOf(target);
        if (job.input != null) {
            throw InvalidValueException.of(
                    "a queued job cannot read standard input of this program",
                    "copy the input with stageIn or put it on a share, and read it there"
                            + " (example: sh -c 'exec solver < /data/case')");
        }
        if (!job.files.out().isEmpty()) {
            throw InvalidValueException.of(
                    "a queued job cannot use stageOut, because this program may have ended before the job",
                    "download the files after QueuedJob.await");
        }
        JobStart start = JobStart.of(job, queue);
        if (target instanceof NodeTarget nodes) {
            new Staging(nodes, job.files, job.workingDirectory).in();
            return queue.submit(start.request(), limit);
        }
        return JobStart.withFiles(queue, job).submit(start.request(), limit);
    }

    private static SchedulerTarget queueOf(JobTarget target) {
        if (LaunchTarget.of(target) instanceof SchedulerTarget queue) {
            return queue;
        }
        throw InvalidValueException.of(
                target.getClass().getSimpleName() + " has no scheduler, so jobs cannot be queued",
                "use start(), or a target with a scheduler (example: SlurmTarget.of(cluster))");
    }

    /** Waits for the end of a job, at most this long. */
    public static Optional<QueuedJobStatus> await(QueuedJob job, Duration limit) {
        Deadline deadline = Deadline.in("wait for " + job.name(), limit);
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            QueuedJobStatus now = job.status();
            if (now.ended()) {
                return Optional.of(now);
            }
            if (deadline.passed()) {
                return Optional.empty();
            }
            Tasks.interruptibly(
                    "the wait for " + job.name() + " was interrupted; the job continues",
                    () -> deadline.sleep(pauses.next()));
        }
    }

    /** Waits for the end of a job, at most this long, and hands its lines to a listener. */
    public static Optional<QueuedJobResult> follow(QueuedJob queued, Duration limit, Consumer<OutputLine> lines) {
        if (!(queued instanceof ScheduledJob job)) {
            throw new IllegalStateException("jobs of a queue are found by QueuedJob alone");
        }
        FollowedOutput output = new FollowedOutput(job.launcher(), lines);
        String goesOn = "the wait for " + job.name() + " was interrupted; the job continues";
        Deadline deadline = Deadline.in("wait for " + job.name(), limit);
        Deadline answer = Deadline.in("answer of the scheduler", Duration.ZERO);
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE_OF_OUTPUT);
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
                    return Optional.of(result(job, now, output));
                }
                if (deadline.passed()) {
                    return Optional.empty();
                }
                if (output.fresh()) {
                    pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE_OF_OUTPUT);
                }
                Duration pause = pauses.next();
                Tasks.interruptibly(goesOn, () -> deadline.sleep(pause));
            }
        } finally {
            output.finish();
        }
    }

    private static QueuedJobResult result(ScheduledJob job, QueuedJobStatus end, FollowedOutput output) {
        output.finish();
        output.check();
        List<Finding> findings = new ArrayList<>();
        SchedulerEngine.problem(job, end).ifPresent(findings::add);
        findings.addAll(output.diagnosed());
        return new QueuedJobResult(end, job.ranks(), job.runTime(), output.tail(), findings);
    }
}
