package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.WaitTime;
import java.net.SocketTimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node that is lost to a job from a connection of this machine that broke. A node that closed its connection is lost if the launch
 * node answers. Where a node fell silent, the order in which connections break and come back says nothing, as each is opened again on its own: the node
 * is lost when an attempt to reach it failed that began after the launch node had answered, and the launch node still answers. All times are by
 * {@link WaitTime#RUNNING}. Safe for use by several threads.
 */
final class LostNodeRule {
    private final BooleanSupplier launchNodeAnswers;
    private @Nullable Long answeredNanos;

    /** Asks the launch node for an answer by this. */
    LostNodeRule(BooleanSupplier launchNodeAnswers) {
        this.launchNodeAnswers = launchNodeAnswers;
    }

    /** Whether a node is lost, by what is known now. */
    synchronized boolean isLost(BrokenConnection connection) {
        if (!connection.silent) {
            return launchNodeAnswers.getAsBoolean();
        }
        Long answered = answeredNanos;
        if (answered != null && answered - connection.sinceNanos <= 0) {
            answered = null;
        }
        if (answered != null && connection.failedNanos - answered <= 0) {
            return false;
        }
        boolean answers = launchNodeAnswers.getAsBoolean();
        answeredNanos = answers ? WaitTime.RUNNING.nanos() : null;
        return answered != null && answers;
    }

    /**
     * A connection that broke.
     *
     * @param silent whether it broke as the node did not answer; otherwise the node closed it
     * @param sinceNanos the time at which it broke
     * @param failedNanos the time at which the last failed attempt to open it again began; {@code sinceNanos} before the first one
     */
    record BrokenConnection(boolean silent, long sinceNanos, long failedNanos) {
        static BrokenConnection now(NodeUnreachableException cause) {
            long now = WaitTime.RUNNING.nanos();
            return new BrokenConnection(cause.getCause() instanceof SocketTimeoutException, now, now);
        }

        BrokenConnection afterFailure(long begunNanos) {
            return new BrokenConnection(silent, sinceNanos, begunNanos);
        }
    }
}
