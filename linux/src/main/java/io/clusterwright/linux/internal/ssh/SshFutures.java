package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.future.SshFuture;

/** Waits for the client's futures the way the rest of the library waits. */
final class SshFutures {
    private SshFutures() {}

    /** Waits at most this long; returns whether the future is done. */
    static <T extends SshFuture<T>> boolean await(T future, Duration limit) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        future.addListener(finished -> done.countDown());
        return WaitTime.await(limit, nanos -> done.await(nanos, TimeUnit.NANOSECONDS));
    }

    /** Waits at most this long; an interrupt is noted and kept for later. Returns whether the future is done. */
    static boolean awaitQuietly(CompletableFuture<?> future, Duration limit) {
        CountDownLatch done = new CountDownLatch(1);
        future.whenComplete((value, failure) -> done.countDown());
        return awaitQuietly(done, limit);
    }

    /** The same for a future of the client. */
    static <T extends SshFuture<T>> boolean awaitQuietly(T future, Duration limit) {
        CountDownLatch done = new CountDownLatch(1);
        future.addListener(finished -> done.countDown());
        return awaitQuietly(done, limit);
    }

    private static boolean awaitQuietly(CountDownLatch done, Duration limit) {
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "answer of the SSH client", limit);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return WaitTime.await(deadline.remaining(), nanos -> done.await(nanos, TimeUnit.NANOSECONDS));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
