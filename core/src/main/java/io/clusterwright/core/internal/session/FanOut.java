package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs a command on many nodes in parallel; returns one outcome per node. */
public final class FanOut {
    /** The number of nodes that a fan-out works on at a time; the only place that limits it. */
    public static final int LIMIT = 64;

    private FanOut() {}

    /** Does something with the session to each node that has the result of a command. */
    public static NodeResults each(
            Collection<NodeName> nodes,
            Function<NodeName, NodeSession> sessions,
            Function<NodeSession, CommandResult> work) {
        return new NodeResults(
                Tasks.each("node", LIMIT, nodes, node -> outcome(node, sessions, work), FanOut::notFinished));
    }

    /** Runs a command on each node in a new session, which is closed afterwards. */
    public static NodeResults runOnce(
            Collection<NodeName> nodes, Function<NodeName, NodeSession> sessions, Command command) {
        return new NodeResults(Tasks.each(
                "node",
                LIMIT,
                nodes,
                node -> {
                    NodeSession[] opened = new NodeSession[1];
                    try {
                        return outcome(node, name -> opened[0] = sessions.apply(name), session -> session.run(command));
                    } finally {
                        if (opened[0] != null) {
                            opened[0].close();
                        }
                    }
                },
                FanOut::notFinished));
    }

    /**
     * Copies files to or from each node.
     *
     * @param shown the copy as a command, for the outcomes
     */
    public static NodeResults copy(
            Collection<NodeName> nodes,
            Function<NodeName, NodeSession> sessions,
            Command shown,
            Consumer<NodeSession> copy) {
        return new NodeResults(Tasks.each(
                "copy",
                LIMIT,
                nodes,
                node -> outcome(node, sessions, session -> copied(session, shown, copy)),
                FanOut::notFinished));
    }

    /** A copy that fails on an open connection is a command that failed there. */
    private static CommandResult copied(NodeSession session, Command shown, Consumer<NodeSession> copy) {
        long begin = System.nanoTime();
        String problem = "";
        try {
            copy.accept(session);
        } catch (OperationInterruptedException | NodeUnreachableException e) {
            throw e;
        } catch (ClusterwrightException e) {
            problem = e.getMessage() + "\n";
        }
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        return new CommandResult(session.node(), shown, problem.isEmpty() ? 0 : 1, "", problem, time);
    }

    static NodeOutcome outcome(
            NodeName node, Function<NodeName, NodeSession> sessions, Function<NodeSession, CommandResult> work) {
        NodeSession session;
        try {
            session = sessions.apply(node);
        } catch (OperationInterruptedException e) {
            return new NodeOutcome.Cancelled(node, e.getMessage());
        } catch (ClusterwrightException e) {
            return new NodeOutcome.NotStarted(node, e.getMessage());
        }
        return outcome(node, () -> work.apply(session));
    }

    /** The outcome of work on an open session. */
    static NodeOutcome outcome(NodeName node, Supplier<CommandResult> work) {
        try {
            return new NodeOutcome.Completed(work.get());
        } catch (CommandException.TimedOut e) {
            return new NodeOutcome.TimedOut(node, e.getMessage());
        } catch (OperationInterruptedException e) {
            return new NodeOutcome.Cancelled(node, e.getMessage());
        } catch (NodeUnreachableException e) {
            return new NodeOutcome.Unreachable(node, e.getMessage());
        }
    }

    static NodeOutcome notFinished(NodeName node, Throwable cause) {
        return cause instanceof CancellationException
                ? new NodeOutcome.Cancelled(node, "cancelled before it began")
                : new NodeOutcome.Unreachable(node, Reason.of(cause));
    }
}
