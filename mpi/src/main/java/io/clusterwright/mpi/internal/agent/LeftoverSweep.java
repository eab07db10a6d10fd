package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** The search on every node for processes of a job, all nodes at once, and their end where it is asked for. */
public record LeftoverSweep(NodeTarget target, JobFolder folder) {
    private static final Duration PER_NODE = Duration.ofSeconds(10);
    private static final Duration ALL = Duration.ofSeconds(15);
    private static final int AT_ONCE = 32;

    /** Counts where it is not known yet. */
    public Map<NodeName, Leftovers> countBeside(Map<NodeName, Leftovers> known) {
        Map<NodeName, Leftovers> all = new LinkedHashMap<>(known);
        all.putAll(all(nodes().filter(node -> !known.containsKey(node)).toList(), this::count));
        return all;
    }

    public Map<NodeName, Leftovers> end() {
        return all(nodes().toList(), this::end);
    }

    private Stream<NodeName> nodes() {
        return target.nodes().stream().map(LaunchNode::name);
    }

    private static Map<NodeName, Leftovers> all(List<NodeName> nodes, Function<NodeName, Leftovers> look) {
        List<Leftovers> found =
                Tasks.each("sweep", AT_ONCE, ALL, nodes, look, (node, cause) -> new Leftovers(0, 0, problem(cause)));
        Map<NodeName, Leftovers> byNode = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            byNode.put(nodes.get(i), found.get(i));
        }
        return byNode;
    }

    private static String problem(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return "it did not answer within " + ALL.toSeconds() + " s";
        }
        if (cause instanceof CancellationException) {
            return "the look was interrupted";
        }
        return String.valueOf(cause instanceof ClusterwrightException ? cause.getMessage() : cause);
    }

    private Leftovers count(NodeName node) {
        NodeAgent agent = NodeAgents.of(target.session(node)).take();
        try {
            agent.count(folder);
            return agent.leftovers(PER_NODE)
                    .orElseGet(() -> new Leftovers(0, 0, "it did not answer within " + PER_NODE.toSeconds() + " s"));
        } finally {
            agent.giveBack();
        }
    }

    private Leftovers end(NodeName node) {
        CommandResult result =
                target.session(node).run(WatchdogScript.end(folder).timeout(PER_NODE));
        return WatchdogScript.leftovers(result.stdout())
                .orElseGet(() -> new Leftovers(
                        0,
                        0,
                        "the look ended with exit status " + result.exitStatus() + ": "
                                + PrintableText.output(result.stderr())));
    }
}
