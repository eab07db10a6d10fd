package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command agent of a session: started in the background when commands repeat, so that a single command does not pay for it. Where
 * there is none, as on a node without Python, commands go over channels. Safe for use by several threads.
 */
final class SessionAgent {
    private static final Logger LOG = LoggerFactory.getLogger(SessionAgent.class);
    private static final int USES_BEFORE = 2;
    private static final int STARTS = 3;
    private static final Duration GONE = Duration.ofSeconds(1);

    private final SshExec exec;
    private final Executor executor;
    private int uses;
    private int starts;
    private boolean closed;
    private CompletableFuture<@Nullable CommandAgent> starting = CompletableFuture.completedFuture(null);

    SessionAgent(SshExec exec, Executor executor) {
        this.exec = exec;
        this.executor = executor;
    }

    /** The agent, when it takes commands; otherwise null. */
    @Nullable
    synchronized CommandAgent ready() {
        CommandAgent agent = starting.isCompletedExceptionally() ? null : starting.getNow(null);
        return agent != null && agent.isReady() && !closed ? agent : null;
    }

    /** Notes that a command went over a channel, and starts an agent if it was not the first. */
    synchronized void missed() {
        uses++;
        if (closed || uses < USES_BEFORE || starts == STARTS || !isOver(starting)) {
            return;
        }
        starts++;
        try {
            starting = CompletableFuture.supplyAsync(this::start, executor);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    private static boolean isOver(CompletableFuture<@Nullable CommandAgent> starting) {
        CommandAgent agent = starting.isCompletedExceptionally() ? null : starting.getNow(null);
        return starting.isDone() && (agent == null || agent.isOver());
    }

    private @Nullable CommandAgent start() {
        try {
            return CommandAgent.start(exec);
        } catch (ClusterwrightException e) {
            LOG.debug("commands go over channels, as there is no agent", e);
            return null;
        }
    }

    /** Ends the agent. */
    void close() {
        CompletableFuture<@Nullable CommandAgent> last;
        synchronized (this) {
            closed = true;
            last = starting;
        }
        CompletableFuture<Void> over = last.thenAccept(agent -> {
            if (agent != null) {
                agent.dismiss();
            }
        });
        if (SshFutures.awaitQuietly(over, GONE) && !last.isCompletedExceptionally() && last.join() != null) {
            last.join().awaitGone(GONE);
        }
    }
}
