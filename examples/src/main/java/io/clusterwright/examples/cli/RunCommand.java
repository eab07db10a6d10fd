package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.UserName;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.NodeChoice;
import io.clusterwright.examples.options.StandardInput;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = "Runs a command on nodes in parallel; equal output is shown once.",
        footer = "Put -- before the command. Piped input reaches the command on every node.")
final class RunCommand extends ClusterCommand {
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

    @Option(
            names = "--stdin",
            paramLabel = "FILE|-",
            description = "Input of the command on every node; - waits for all of standard input. Default: piped input,"
                    + " if there is any.")
    private @Nullable String stdin;

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
            StandardInput input = StandardInput.of(stdin);
            io.clusterwright.core.Command what = io.clusterwright.core.Command.of(command)
                    .timeout(Duration.ofSeconds(timeoutSeconds))
                    .input(input.bytes());
            UserName account = user == null ? open.loginUser() : UserName.of(user);
            NodeResults results = open.run(what, targets(open), account);
            if (json) {
                print(ResultJson.results(results));
            } else {
                print(results);
            }
            return ExitCodes.ofWork(
                    StandardInput.reached(stdin, "command", new ProgressPrinter()) && results.succeeded());
        }
    }

    private List<NodeName> targets(Cluster open) {
        return nodes == null ? open.nodes().stream().map(Node::name).toList() : NodeChoice.of(open, nodes);
    }

    private void print(NodeResults results) {
        results.groupedBy(RunCommand::text).forEach((text, members) -> {
            out.println("--- " + NodeSet.fold(members));
            out.print(text.isEmpty() || text.endsWith("\n") ? text : text + "\n");
        });
    }

    static String text(NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Completed completed) {
            CommandResult result = completed.result();
            String status = result.succeeded() ? "" : "exit status " + result.exitStatus() + "\n";
            return result.stdout() + result.stderr() + status;
        }
        return outcome.summary();
    }
}
