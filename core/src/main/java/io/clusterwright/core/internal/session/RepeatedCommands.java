package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.OperationInterruptedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A session that runs one command after another at less cost than single ones: they share the variables and limits of one login shell,
 * while {@link NodeSession#run} has a new one for each command.
 */
public interface RepeatedCommands {
    /** Runs a command as {@link NodeSession#run} does, but for the login shell. */
    CommandResult runAgain(Command command);

    /** Begins a command where that needs no wait; otherwise empty, with nothing begun. */
    Optional<Begun> begin(Command command);

    /** Runs a command in a session of any kind. */
    static CommandResult run(NodeSession session, Command command) {
        return session instanceof RepeatedCommands repeated ? repeated.runAgain(command) : session.run(command);
    }

    /** A command that has begun. */
    interface Begun {
        /** Completes when the node reported on the command, or will not any more; never exceptionally. */
        CompletableFuture<?> reported();

        /** Whether {@link #result} needs no wait. */
        boolean isDone();

        /** Waits for the end of the command as {@link NodeSession#run} does, with the same exceptions. */
        CommandResult result();

        /** Ends the command, as the wait for it was interrupted; the exception reports the outcome, and sets the interrupt flag. */
        OperationInterruptedException end(InterruptedException cause);
    }
}
