package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Submits jobs to the queue of a scheduler, and finds them again. */
public final class JobQueue {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

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
            throw new InvalidValueException(
                    "job for a queue",
                    "a job with standard input",
                    "a job that needs nothing from here while it runs: put the input into a file with stageIn or on a shared file system,"
                            + " and let the program read it",
                    "sh -c 'exec solver < /data/case'");
        }
        if (!job.files.out().isEmpty()) {
            throw new InvalidValueException(
                    "job for a queue",
                    "a job that stages files out",
                    "a job without stageOut, since this program may be gone when it ends",
                    "download the files when QueuedJob.await says that it has ended");
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
        throw new InvalidValueException(
                "target of a queued job",
                target.getClass().getSimpleName(),
                "a target with a scheduler; use start() for nodes without one",
                "SlurmTarget.of(cluster)");
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
                    "the wait for " + job.name() + " was interrupted; the job goes on",
                    () -> deadline.sleep(pauses.next()));
        }
    }
}
