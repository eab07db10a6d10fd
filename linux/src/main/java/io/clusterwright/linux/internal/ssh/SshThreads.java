package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.session.SessionsClosedException;
import io.clusterwright.core.type.NodeName;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.sshd.common.util.threads.CloseableExecutorService;
import org.apache.sshd.common.util.threads.NoCloseExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one transport: named daemons, none of them shared with anyone. */
final class SshThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SshThreads.class);
    private static final int IO_THREADS = 8;

    private final ExecutorService pool = Threads.pool("ssh-io", IO_THREADS);
    private final CloseableExecutorService io = new Io(pool);
    private final ScheduledExecutorService timer = Threads.timer("ssh-timer");
    private final ExecutorService workers = Threads.unbounded("ssh-worker");

    /** Moves bytes; nothing that blocks may run here. */
    CloseableExecutorService io() {
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

    /**
     * Has work done by workers.
     *
     * @throws SessionsClosedException when their transport has been closed
     */
    static void execute(Executor workers, NodeName node, Runnable work) {
        try {
            workers.execute(work);
        } catch (RejectedExecutionException e) {
            throw new SessionsClosedException(node);
        }
    }

    @Override
    public void close() {
        workers.shutdown();
        timer.shutdownNow();
        pool.shutdownNow();
    }

    /** The client's thread that waits for events may bring one more while the client closes, and would die of a refusal. */
    private static final class Io extends NoCloseExecutor {
        Io(ExecutorService pool) {
            super(pool);
        }

        @Override
        public void execute(Runnable event) {
            try {
                super.execute(event);
            } catch (IllegalStateException | RejectedExecutionException e) {
                LOG.debug("an event of a connection came after the client was closed", e);
            }
        }
    }
}
