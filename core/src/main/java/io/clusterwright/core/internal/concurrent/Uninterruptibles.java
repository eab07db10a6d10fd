package io.clusterwright.core.internal.concurrent;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Work that an interrupt must not cut short: removing what was made. */
public final class Uninterruptibles {
    private Uninterruptibles() {}

    /**
     * Does the work on a new thread and waits for its end. An interrupt meanwhile, or before, is kept: the flag is set when this
     * returns.
     */
    public static <T> T run(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Threads.start("clean-up", task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
