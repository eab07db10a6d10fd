package io.clusterwright.mpi;

import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A job that was started. Its owner closes it, which ends the job if it still runs. Use it to do other work while the
 * job runs. Safe for use by several threads.
 *
 * <pre>{@code
 * try (RunningJob running = MpiJob.of("sleep", "600").on(cluster).start(Duration.ofHours(1))) {
 *     Optional<JobResult> end = running.await(Duration.ofSeconds(2)); // empty while it runs
 *     System.out.println(end.map(JobResult::summary).orElse("still running: " + running.token()));
 * } // ends the job
 * }</pre>
 */
public interface RunningJob extends AutoCloseable {

    /** The name by which every process of the job is found: {@code cwjob-} and 16 hexadecimal digits. */
    String token();

    /** The launcher's command line. */
    List<String> command();

    /**
     * Waits for the job to end, at most this long.
     *
     * @return the result, or empty when it still runs
     * @throws JobInterruptedException when this thread was interrupted; the job has been ended
     */
    Optional<JobResult> await(Duration limit);

    /** Ends the job and every process of it on every node, in at most 30 s; returns at once. Calling it twice is harmless. */
    void cancel();

    /** The result to come. Cancelling the future does not cancel the job. */
    CompletableFuture<JobResult> toFuture();

    /** Ends the job if it still runs, and waits until it has ended. */
    @Override
    void close();
}
