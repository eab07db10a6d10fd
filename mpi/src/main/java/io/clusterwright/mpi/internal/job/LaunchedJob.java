package io.clusterwright.mpi.internal.job;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.mpi.JobInterruptedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The handle of a run. */
record LaunchedJob(JobSupervisor supervisor) implements RunningJob {
    private static final Duration CLEANUP = Duration.ofSeconds(35);

    @Override
    public String token() {
        return supervisor.request().folder().token();
    }

    @Override
    public List<String> command() {
        return supervisor.command();
    }

    @Override
    public Optional<JobResult> await(Duration limit) {
        try {
            return Optional.of(supervisor.result().get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw rethrown(e);
        } catch (InterruptedException e) {
            cancel();
            throw new JobInterruptedException(afterCancel(), e);
        }
    }

    @Override
    public void cancel() {
        supervisor.cancel();
    }

    @Override
    public CompletableFuture<JobResult> toFuture() {
        return supervisor.result().copy();
    }

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

    private JobResult afterCancel() {
        boolean interrupted = false;
        Deadline deadline = Deadline.in("end of the job", CLEANUP);
        try {
            while (true) {
                try {
                    return supervisor.result().get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
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
