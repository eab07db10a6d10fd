package io.clusterwright.core;

import io.clusterwright.core.type.NodeName;
import java.time.Duration;

/**
 * The result of a command that ended by itself.
 *
 * @param node the node that it ran on
 * @param command the command
 * @param exitStatus 0 to 255; a command ended by signal n reports 128 + n
 * @param stdout standard output, decoded as UTF-8
 * @param stderr standard error, decoded as UTF-8
 * @param duration from the request to the last byte of output
 */
public record CommandResult(
        NodeName node, Command command, int exitStatus, String stdout, String stderr, Duration duration) {

    /** Whether the exit status is 0. */
    public boolean succeeded() {
        return exitStatus == 0;
    }

    /**
     * This result when the command succeeded.
     *
     * @throws CommandFailedException when the exit status is not 0
     */
    public CommandResult orThrow() {
        if (!succeeded()) {
            throw new CommandFailedException(this);
        }
        return this;
    }
}
