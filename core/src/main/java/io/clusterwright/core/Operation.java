package io.clusterwright.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A long operation that was started and can be awaited, cancelled and composed. Safe for use by several threads.
 *
 * @param <T> the result
 */
public interface Operation<T> {

    /**
     * Waits for the end without a limit.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException that of the operation, when it failed or was cancelled
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread is interrupted; the operation goes on
     */
    T await();

    /**
     * Waits for the end, at most this long.
     *
     * @return the result, or empty while the operation still runs
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #await()}
     */
    Optional<T> await(Duration limit);

    /**
     * Stops the operation, which then cleans up as after a failure; {@link #await()} returns when that is done. Calling it twice, or after
     * the end, does nothing.
     */
    void cancel();

    /** A future of the result. Cancelling it cancels the operation. */
    CompletableFuture<T> toFuture();
}
