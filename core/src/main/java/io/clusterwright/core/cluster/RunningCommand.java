package io.clusterwright.core.cluster;

import java.time.Duration;
import java.util.OptionalInt;

/** A command that was started on a node. Whoever started it closes it, which ends the command if it still runs. */
public interface RunningCommand extends AutoCloseable {

    /**
     * Waits for the command to end, at most this long.
     *
     * @return the exit status, or empty when it still runs
     * @throws CommandInterruptedException when this thread is interrupted; the command has been ended
     * @throws NodeUnreachableException when the connection broke and the exit status will never be known
     */
    OptionalInt await(Duration limit);

    /**
     * Ends the command and the processes of its session on the node: first asked (SIGTERM), after the grace forced
     * (SIGKILL). Calling it twice is harmless.
     */
    void cancel(Duration grace);

    /** Ends the command at once if it still runs. */
    @Override
    void close();
}
