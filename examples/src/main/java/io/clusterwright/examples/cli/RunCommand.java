package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.UserName;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = "Runs a command on nodes in parallel; equal output is shown once.",
        footer = "Put -- before the command.")
final class RunCommand extends ClusterCommand {
    private static final String HEAD = "head";

    @Option(
            names = "--nodes",
            paramLabel = "EXPR",
            description = "Nodes, such as cluster[11-12], or head; default: all.")
    private @Nullable String nodes;

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "User account; default: the login user, who may use sudo.")
    private @Nullable String user;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "Time limit; default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds = 300;

    @Parameters(arity = "1..*", index = "1..*", paramLabel = "COMMAND", description = "The program and its arguments.")
    private List<String> command = List.of();

    @Override
    public Integer call() {
        if (timeoutSeconds < 1) {
            throw new RefusedException("--timeout " + timeoutSeconds + " is not a time limit: give at least 1 second");
        }
        return super.call();
    }

    @Override
    int run(ClusterManager manager) {
        try (Cluster open = manager.open(name())) {
            io.clusterwright.core.Command what =
                    io.clusterwright.core.Command.of(command).timeout(Duration.ofSeconds(timeoutSeconds));
            UserName account = user == null ? open.loginUser() : UserName.parse(user);
            NodeResults results = open.run(what, targets(open), account);
            if (json) {
                print(json(results));
            } else {
                print(results);
            }
            return ExitCodes.ofWork(results.allSucceeded());
        }
    }

    private List<NodeName> targets(Cluster open) {
        List<NodeName> all = open.nodes().stream().map(Node::name).toList();
        if (nodes == null) {
            return all;
        }
        NodeName head = open.head().name();
        List<NodeName> wanted =
                nodes.equals(HEAD) && !all.contains(new NodeName(HEAD)) ? List.of(head) : NodeSet.parse(nodes);
        List<NodeName> unknown =
                wanted.stream().filter(node -> !all.contains(node)).toList();
        if (!unknown.isEmpty()) {
            throw new RefusedException(
                    "cluster " + open.name() + " has no " + NodeSet.fold(unknown) + "; it has " + NodeSet.fold(all));
        }
        return wanted;
    }

    private static ArrayNode json(NodeResults results) {
        ArrayNode array = Json.array();
        for (NodeOutcome outcome : results.outcomes()) {
            ObjectNode node = array.addObject().put("node", outcome.node().value());
            if (outcome instanceof NodeOutcome.Completed completed) {
                CommandResult result = completed.result();
                node.put("exit", result.exitStatus())
                        .put("stdout", result.stdout())
                        .put("stderr", result.stderr())
                        .put("millis", result.duration().toMillis());
            } else {
                node.put("error", outcome.summary());
            }
        }
        return array;
    }

    private void print(NodeResults results) {
        results.groupedBy(RunCommand::text).forEach((text, members) -> {
            out.println("--- " + NodeSet.fold(members));
            out.print(text.isEmpty() || text.endsWith("\n") ? text : text + "\n");
        });
    }

    private static String text(NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Completed completed) {
            CommandResult result = completed.result();
            String status = result.succeeded() ? "" : "exit status " + result.exitStatus() + "\n";
            return result.stdout() + result.stderr() + status;
        }
        return outcome.summary();
    }
}
