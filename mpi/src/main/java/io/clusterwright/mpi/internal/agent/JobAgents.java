package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The agents that one job has on its nodes, at most one on each. Safe for use by several threads. */
final class JobAgents implements AutoCloseable {
    private static final int AT_ONCE = 32;
    private static final Command PROBE = Command.of("true").timeout(Duration.ofSeconds(5));

    private static final int NO_SERVER = 3;
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final String LOOK = "python3 -c 'import socket, sys\ntry:\n"
            + "    socket.create_connection((sys.argv[1], 22), 3)\nexcept OSError:\n    sys.exit(" + NO_SERVER
            + ")' \"$1\"";

    private final NodeTarget target;
    private final NodeName launchNode;
    private final LostNodeRule loss = new LostNodeRule(this::launchNodeAnswers);
    private final Map<NodeName, NodeAgent> held = new HashMap<>();
    private final ExecutorService pool;
    private boolean closed;

    JobAgents(NodeTarget target, LaunchRequest request, String name) {
        this.target = target;
        this.launchNode = request.nodes().get(0).name();
        this.pool = Threads.pool(name, Math.min(AT_ONCE, request.nodes().size()));
    }

    /** Does work that takes an agent, at most 32 at a time. */
    void submit(Runnable work) {
        pool.execute(work);
    }

    /** Waits at most this long for the submitted work; accepts no more. */
    void finish(Duration limit) {
        pool.shutdown();
        try {
            if (!WaitTime.await(limit, nanos -> pool.awaitTermination(nanos, TimeUnit.NANOSECONDS))) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes one on a node.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node does not answer
     */
    NodeAgent take(NodeName node) {
        NodeAgent agent = NodeAgents.take(target, node);
        synchronized (this) {
            if (!closed) {
                held.put(node, agent);
                return agent;
            }
        }
        agent.dismiss();
        throw new ClusterwrightException("the job ended before its part on " + node + " began");
    }

    /** The one on a node, if there is. */
    synchronized Optional<NodeAgent> on(NodeName node) {
        return Optional.ofNullable(held.get(node));
    }

    /**
     * The exit status of the job's part on a node; empty while it is not known, and where there is no agent.
     *
     * @throws NodeUnreachableException when the node is lost to the job
     */
    OptionalInt status(NodeName node, Duration limit) {
        NodeAgent agent = on(node).orElse(null);
        if (agent == null) {
            return OptionalInt.empty();
        }
        OptionalInt status = agent.status(limit);
        if (status.isEmpty()
                && !node.equals(launchNode)
                && agent.broken().filter(loss::isLost).isPresent()) {
            throw new NodeUnreachableException(
                    node, "the connection to " + node + " broke, and " + launchNode + " answers");
        }
        return status;
    }

    private boolean launchNodeAnswers() {
        try {
            return target.session(launchNode).run(PROBE).succeeded();
        } catch (ClusterwrightException e) {
            return false;
        }
    }

    /** Whether another node of the job, which answers, finds no SSH server on the launch node. */
    boolean seeNoServer(LaunchNode launchNode) {
        Command look = Command.of(
                        "/bin/sh", "-c", LOOK, "sh", launchNode.address().toString())
                .timeout(ANSWER);
        for (Map.Entry<NodeName, NodeAgent> other : all().entrySet()) {
            try {
                other.getValue().status(Duration.ZERO);
                if (!other.getKey().equals(launchNode.name())
                        && !other.getValue().isBroken()) {
                    return target.session(other.getKey()).run(look).exitStatus() == NO_SERVER;
                }
            } catch (ClusterwrightException e) {
                continue;
            }
        }
        return false;
    }

    /** The counts of the agents that answer in this time. */
    Map<NodeName, Leftovers> answers(Duration limit) {
        Deadline deadline = Deadline.in("answer of the agents", limit);
        Map<NodeName, Leftovers> answers = new LinkedHashMap<>();
        all().forEach((node, agent) ->
                agent.leftovers(deadline.remaining()).ifPresent(answer -> answers.put(node, answer)));
        return answers;
    }

    /** All by their nodes. */
    synchronized Map<NodeName, NodeAgent> all() {
        return new LinkedHashMap<>(held);
    }

    /** Lets go of all: those that are done are kept for other jobs; what the others have of this one is ended. */
    @Override
    public void close() {
        pool.shutdownNow();
        List<NodeAgent> rest;
        synchronized (this) {
            closed = true;
            rest = List.copyOf(held.values());
            held.clear();
        }
        rest.forEach(NodeAgent::giveBack);
    }
}
