package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One outcome per node, in node order: a command that failed on some nodes is a value, not an exception. Use it to
 * repeat a command on the nodes that failed, and to print equal outputs once.
 *
 * <pre>{@code
 * NodeResults results = cluster.run(Command.of("test", "-d", "/scratch").timeout(Duration.ofSeconds(20)));
 * for (NodeOutcome outcome : results.failures()) {
 *     if (outcome instanceof NodeOutcome.Unreachable) {
 *         System.out.println(outcome.node() + " needs help: " + outcome.summary());
 *     } else {
 *         System.out.println(outcome.node() + " has no folder /scratch");
 *     }
 * }
 * }</pre>
 *
 * @param outcomes one for each target node
 */
public record NodeResults(List<NodeOutcome> outcomes) {
    /** Copies the list. */
    public NodeResults {
        outcomes = List.copyOf(outcomes);
    }

    /** Whether every node succeeded. */
    public boolean succeeded() {
        return outcomes.stream().allMatch(NodeOutcome::succeeded);
    }

    /** The outcomes with exit status 0. */
    public List<NodeOutcome> successes() {
        return outcomes.stream().filter(NodeOutcome::succeeded).toList();
    }

    /** All other outcomes. */
    public List<NodeOutcome> failures() {
        return outcomes.stream().filter(outcome -> !outcome.succeeded()).toList();
    }

    /** The nodes on which the command certainly did not start, so that sending it again is safe. */
    public List<NodeName> retryTargets() {
        return outcomes.stream()
                .filter(outcome -> outcome instanceof NodeOutcome.NotStarted)
                .map(NodeOutcome::node)
                .toList();
    }

    /**
     * The nodes that completed, grouped by what they printed and how they ended: most nodes first. The text of a group is standard output,
     * standard error, and {@code exit status 7} where the command failed, without the last line break.
     *
     * @return the text to its nodes
     */
    public Map<String, List<NodeName>> groupedByOutput() {
        Map<String, List<NodeName>> sorted = new LinkedHashMap<>();
        group(
                        outcomes.stream()
                                .filter(NodeOutcome.Completed.class::isInstance)
                                .toList(),
                        outcome -> text(((NodeOutcome.Completed) outcome).result()))
                .entrySet()
                .stream()
                .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    /** All nodes, grouped by a text about their outcome, in the order in which the texts first appear. */
    public Map<String, List<NodeName>> groupedBy(Function<NodeOutcome, String> text) {
        return group(outcomes, text);
    }

    private static String text(CommandResult result) {
        String text = result.stdout()
                + result.stderr()
                + (result.succeeded() ? "" : "exit status " + result.exitStatus() + "\n");
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static Map<String, List<NodeName>> group(List<NodeOutcome> outcomes, Function<NodeOutcome, String> text) {
        Map<String, List<NodeName>> groups = new LinkedHashMap<>();
        outcomes.forEach(outcome -> groups.computeIfAbsent(text.apply(outcome), key -> new ArrayList<>())
                .add(outcome.node()));
        return groups;
    }

    /**
     * These results when every node succeeded.
     *
     * @throws NodesFailedException naming every node that did not, grouped by reason
     */
    public NodeResults orThrow() {
        List<NodeOutcome> failed = failures();
        if (failed.isEmpty()) {
            return this;
        }
        Map<String, List<NodeName>> reasons = group(
                failed,
                outcome -> outcome instanceof NodeOutcome.Completed
                        ? failure(outcome).getMessage()
                        : outcome.summary());
        StringBuilder text = new StringBuilder(failed.size() + " of " + outcomes.size() + " nodes failed");
        reasons.forEach((reason, nodes) ->
                text.append("; ").append(NodeSet.fold(nodes)).append(": ").append(reason));
        Map<NodeName, ClusterwrightException> causes = new LinkedHashMap<>();
        failed.forEach(outcome -> causes.put(outcome.node(), failure(outcome)));
        throw new NodesFailedException(text.toString(), causes);
    }

    private static ClusterwrightException failure(NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Completed completed) {
            return new CommandException.Failed(completed.result());
        }
        if (outcome instanceof NodeOutcome.TimedOut late) {
            return new CommandException.TimedOut(late.node(), late.summary());
        }
        return outcome instanceof NodeOutcome.Unreachable
                ? new NodeUnreachableException(outcome.node(), outcome.summary())
                : new ClusterwrightException(outcome.node() + ": " + outcome.summary());
    }
}
