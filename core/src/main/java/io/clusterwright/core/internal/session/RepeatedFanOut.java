package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fan-out that begins a command on all nodes from one thread where their sessions can; threads for each node wait for the others. */
public final class RepeatedFanOut {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedFanOut.class);

    private final Deadline deadline;
    private final NodeOutcome[] outcomes;

    private RepeatedFanOut(Command command, int nodes) {
        this.deadline = Deadline.in("command's timeout", command.timeout());
        this.outcomes = new NodeOutcome[nodes];
    }

    /** Runs a command on each node, as one of many; {@code open} gives the sessions that are open already. */
    public static NodeResults run(
            Collection<NodeName> nodes,
            Function<NodeName, NodeSession> sessions,
            Function<NodeName, Optional<NodeSession>> open,
            Command command) {
        RepeatedFanOut run = new RepeatedFanOut(command, nodes.size());
        boolean begins = nodes.size() <= FanOut.LIMIT && !Thread.currentThread().isInterrupted();
        List<Part> begun = new ArrayList<>();
        List<Other> others = new ArrayList<>();
        for (NodeName node : nodes) {
            int index = begun.size() + others.size();
            RepeatedCommands.Begun beginning = begins ? begin(open.apply(node), command) : null;
            if (beginning == null) {
                others.add(new Other(index, node));
            } else {
                begun.add(new Part(index, node, beginning));
            }
        }
        run.each(
                others,
                other -> FanOut.outcome(other.node, sessions, session -> RepeatedCommands.run(session, command)));
        run.await(begun);
        return new NodeResults(Arrays.asList(run.outcomes));
    }

    private static RepeatedCommands.@Nullable Begun begin(Optional<NodeSession> open, Command command) {
        try {
            return open.orElse(null) instanceof RepeatedCommands repeated
                    ? repeated.begin(command).orElse(null)
                    : null;
        } catch (ClusterwrightException e) {
            // The thread of this node meets it again, and reports it.
            return null;
        }
    }

    private void await(List<Part> begun) {
        try {
            WaitTime.get(
                    CompletableFuture.allOf(
                            begun.stream().map(part -> part.begun.reported()).toArray(CompletableFuture[]::new)),
                    deadline.remaining());
        } catch (InterruptedException e) {
            Tasks.uninterruptibly(() -> {
                each(begun, part -> part.begun.isDone() ? outcome(part) : cancelled(part, e));
                return begun;
            });
            Thread.currentThread().interrupt();
            return;
        } catch (TimeoutException e) {
            LOG.debug("some nodes did not end a command in time");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a report never fails", e);
        }
        List<Part> late = new ArrayList<>();
        for (Part part : begun) {
            if (part.begun.isDone()) {
                outcomes[part.index] = outcome(part);
            } else {
                late.add(part);
            }
        }
        each(late, RepeatedFanOut::outcome);
    }

    private <P extends Place> void each(List<P> parts, Function<P, NodeOutcome> work) {
        List<NodeOutcome> results =
                Tasks.each("node", FanOut.LIMIT, parts, work, (part, cause) -> FanOut.notFinished(part.node(), cause));
        for (int i = 0; i < parts.size(); i++) {
            outcomes[parts.get(i).index()] = results.get(i);
        }
    }

    private static NodeOutcome outcome(Part part) {
        return FanOut.outcome(part.node, part.begun::result);
    }

    private static NodeOutcome cancelled(Part part, InterruptedException cause) {
        return new NodeOutcome.Cancelled(part.node, part.begun.end(cause).getMessage());
    }

    /** A node, and the index of its outcome. */
    private interface Place {
        int index();

        NodeName node();
    }

    /** A node on which the command has not begun. */
    private record Other(int index, NodeName node) implements Place {}

    /** A node on which it has. */
    private record Part(int index, NodeName node, RepeatedCommands.Begun begun) implements Place {}

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
}
