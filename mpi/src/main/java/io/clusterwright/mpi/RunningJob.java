package io.clusterwright.mpi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A job that was started. Whoever started it closes it, which ends the job if it still runs. Safe for use by several threads. */
public final class RunningJob implements AutoCloseable {
    private static final long CLEANUP_SECONDS = 35;

    private final WatchedJob supervisor;

    RunningJob(WatchedJob supervisor) {
        this.supervisor = supervisor;
    }

    /** The name by which every process of the job is found: {@code cwjob-} and 16 hexadecimal digits. */
    public String token() {
        return supervisor.request().folder().token();
    }

    /** The launcher's command line. */
    public List<String> command() {
        return supervisor.command();
    }

    /**
     * Waits for the job to end, at most this long.
     *
     * @return how it went, or empty when it still runs
     * @throws JobFailedException when this thread was interrupted; the job has been ended, and the interrupt flag is
     *     set
     */
    public Optional<JobResult> await(Duration limit) {
        try {
            return Optional.of(supervisor.result().get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw rethrown(e);
        } catch (InterruptedException e) {
            cancel();
            JobResult partial = afterCancel();
            Thread.currentThread().interrupt();
            throw new JobFailedException(partial, e);
        }
    }

    /** Ends the job and every process of it on every node, in at most 30 s; returns at once. Calling it twice is harmless. */
    public void cancel() {
        supervisor.cancel();
    }

    /** The result to come. Cancelling the future does not cancel the job. */
    public CompletableFuture<JobResult> toFuture() {
        return supervisor.result().copy();
    }

    /** Ends the job if it still runs, and waits until it has ended. */
    @Override
    public void close() {
        cancel();
        boolean interrupted = Thread.interrupted();
        try {
            afterCancel();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    JobResult join() {
        return await(PlacedMpiJob.UNLIMITED.multipliedBy(2)).orElseThrow();
    }

    private JobResult afterCancel() {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLEANUP_SECONDS);
        try {
            while (true) {
                try {
                    return supervisor.result().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return supervisor.unfinished();
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
}
