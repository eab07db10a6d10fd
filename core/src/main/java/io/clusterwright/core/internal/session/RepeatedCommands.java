package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;

/**
 * A session that runs one command after another at less cost than single ones: they share the variables and limits of one login shell,
 * while {@link NodeSession#run} has a new one for each command.
 */
public interface RepeatedCommands {
    /** Runs a command as {@link NodeSession#run} does, but for the login shell. */
    CommandResult runAgain(Command command);

    /** Runs a command in a session of any kind. */
    static CommandResult run(NodeSession session, Command command) {
        return session instanceof RepeatedCommands repeated ? repeated.runAgain(command) : session.run(command);
    }
}
