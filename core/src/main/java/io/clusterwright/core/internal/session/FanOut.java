package io.clusterwright.core.internal.session;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.CommandInterruptedException;
import io.clusterwright.core.cluster.CommandTimeoutException;
import io.clusterwright.core.cluster.NodeOutcome;
import io.clusterwright.core.cluster.NodeResults;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.cluster.NodeUnreachableException;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Does the same on many nodes at once, and answers for every one of them. */
public final class FanOut {
    private static final int COMMANDS = 64;

    private FanOut() {}

    /** Runs a command on each node. */
    public static NodeResults run(
            Collection<NodeName> nodes, Function<NodeName, NodeSession> sessions, Command command) {
        return new NodeResults(each(nodes, node -> outcome(node, sessions, command), FanOut::notFinished));
    }

    /** Runs a command on each node in a session of its own, which is closed. */
    public static NodeResults runOnce(
            Collection<NodeName> nodes, Function<NodeName, NodeSession> sessions, Command command) {
        return new NodeResults(each(
                nodes,
                node -> {
                    NodeSession[] opened = new NodeSession[1];
                    try {
                        return outcome(node, name -> opened[0] = sessions.apply(name), command);
                    } finally {
                        if (opened[0] != null) {
                            opened[0].close();
                        }
                    }
                },
                FanOut::notFinished));
    }

    /**
     * Does something for each item, at most 64 at a time, and waits for all of them.
     *
     * @param lost makes an answer for an item whose work was cancelled before it began or died of an error
     */
    public static <T, R> List<R> each(Collection<T> items, Function<T, R> work, Lost<T, R> lost) {
        ExecutorService pool = Threads.pool("node", Math.max(1, Math.min(COMMANDS, items.size())));
        List<T> order = List.copyOf(items);
        List<Future<R>> futures = new ArrayList<>();
        boolean interrupted = false;
        try {
            for (T item : order) {
                futures.add(pool.submit(() -> work.apply(item)));
            }
            List<R> results = new ArrayList<>();
            for (int i = 0; i < order.size(); i++) {
                Future<R> future = futures.get(i);
                while (true) {
                    try {
                        results.add(future.get());
                        break;
                    } catch (InterruptedException e) {
                        interrupted = true;
                        pool.shutdownNow().forEach(waiting -> ((Future<?>) waiting).cancel(false));
                    } catch (CancellationException e) {
                        results.add(lost.answer(order.get(i), e));
                        break;
                    } catch (ExecutionException e) {
                        results.add(lost.answer(order.get(i), e.getCause() == null ? e : e.getCause()));
                        break;
                    }
                }
            }
            return results;
        } finally {
            pool.shutdownNow();
            if (interrupted) {
                awaitEnd(pool);
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Work that was interrupted ends its commands on the nodes; that must be done before the caller goes on. */
    private static void awaitEnd(ExecutorService pool) {
        try {
            pool.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static NodeOutcome outcome(NodeName node, Function<NodeName, NodeSession> sessions, Command command) {
        NodeSession session;
        try {
            session = sessions.apply(node);
        } catch (CommandInterruptedException e) {
            return new NodeOutcome.Cancelled(node, e.getMessage());
        } catch (ClusterwrightException e) {
            return new NodeOutcome.NotStarted(node, e.getMessage());
        }
        try {
            return new NodeOutcome.Completed(session.run(command));
        } catch (CommandTimeoutException e) {
            return new NodeOutcome.TimedOut(node, e.getMessage());
        } catch (CommandInterruptedException e) {
            return new NodeOutcome.Cancelled(node, e.getMessage());
        } catch (NodeUnreachableException e) {
            return new NodeOutcome.Unreachable(node, e.getMessage());
        }
    }

    private static NodeOutcome notFinished(NodeName node, Throwable cause) {
        return cause instanceof CancellationException
                ? new NodeOutcome.Cancelled(node, "cancelled before it began")
                : new NodeOutcome.Unreachable(node, cause.toString());
    }

    /** Makes an answer where there is none. */
    @FunctionalInterface
    public interface Lost<T, R> {
        /** The answer for this item. */
        R answer(T item, Throwable cause);
    }
}
