package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.concurrent.Threads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.util.threads.SshThreadPoolExecutor;

/** The threads of one transport: named daemons, none of them shared with anyone. */
final class SshThreads implements AutoCloseable {
    private static final int IO_THREADS = 8;

    private final SshThreadPoolExecutor io = new SshThreadPoolExecutor(
            IO_THREADS, IO_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.factory("ssh-io"));
    private final ScheduledExecutorService timer = Threads.timer("ssh-timer");
    private final ExecutorService workers = Threads.unbounded("ssh-worker");

    SshThreads() {
        io.allowCoreThreadTimeOut(true);
    }

    /** Moves bytes; nothing that blocks may run here. */
    SshThreadPoolExecutor io() {
        return io;
    }

    /** Heartbeats and timeouts. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * Calls callers' output listeners, which may block or use the session, and does what must not meet the caller's
     * interrupt: the client drops a connection whose use was interrupted. A thread exists only while there is work.
     */
    ExecutorService workers() {
        return workers;
    }

    @Override
    public void close() {
        workers.shutdown();
        timer.shutdownNow();
        io.shutdownNow();
    }
}
