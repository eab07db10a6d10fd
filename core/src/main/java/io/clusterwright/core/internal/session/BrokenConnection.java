package io.clusterwright.core.internal.session;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.WaitTime;
import java.net.SocketTimeoutException;

/**
 * A connection that broke. All times are by {@link WaitTime#RUNNING}.
 *
 * @param silent whether it broke as the node did not answer; otherwise the node closed it
 * @param sinceNanos the time at which it broke
 * @param failedNanos the time at which the last failed attempt to open it again began; {@code sinceNanos} before the first one
 */
public record BrokenConnection(boolean silent, long sinceNanos, long failedNanos) {
    /** A connection that broke just now. */
    public static BrokenConnection now(NodeUnreachableException cause) {
        long now = WaitTime.RUNNING.nanos();
        return new BrokenConnection(cause.getCause() instanceof SocketTimeoutException, now, now);
    }

    /** The same, after an attempt that began at this time failed. */
    public BrokenConnection afterFailure(long begunNanos) {
        return new BrokenConnection(silent, sinceNanos, begunNanos);
    }
}
