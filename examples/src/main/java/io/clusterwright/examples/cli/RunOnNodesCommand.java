package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = "Runs a command on nodes in parallel; equal output is shown once.",
        footer =
                "Put -- before the command. It runs as one program, without a shell; a shell line: -- sh -c 'df -h | head'."
                        + " Piped input reaches the command on every node.")
final class RunOnNodesCommand extends ClusterCommand.OnNodes {
    /** The exit status where the node has no such program. */
    private static final int NOT_FOUND = 127;

    private static final int LONGEST_NAME = 80;

    @Option(names = "--nodes", paramLabel = "EXPR", description = "Nodes, such as 'demo[1-2]', or head; default: all.")
    private String nodes = "";

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "User account; default: the login user, which may use sudo.")
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
        JobOptions.requireTime(timeoutSeconds);
        return super.call();
    }

    @Override
    int run(ClusterManager manager, Cluster open) {
        StandardInput input = StandardInput.of(stdin);
        io.clusterwright.core.Command what = io.clusterwright.core.Command.of(command)
                .timeout(Duration.ofSeconds(timeoutSeconds))
                .input(input.bytes());
        NodeResults results = open.run(what, NodeChoice.of(open, nodes), account(open, user));
        print(
                () -> JsonFields.list(results.outcomes(), NodeOutcome::toMap),
                () -> results.groupedBy(RunOnNodesCommand::text).forEach((text, members) -> {
                    out.println("--- " + NodeSet.fold(members));
                    out.print(text.isEmpty() || text.endsWith("\n") ? text : text + "\n");
                }));
        ProgressPrinter progress = new ProgressPrinter();
        shellLine(name().value(), command, results).ifPresent(progress::line);
        return ExitCodes.ofWork(StandardInput.reached(stdin, "command", progress) && results.succeeded());
    }

    /** What to write where a whole shell line was given as the name of a program, and a node has no program of that name. */
    static Optional<String> shellLine(String cluster, List<String> command, NodeResults results) {
        String program = command.get(0);
        boolean absent = results.outcomes().stream()
                .anyMatch(outcome -> outcome instanceof NodeOutcome.Completed completed
                        && completed.result().exitStatus() == NOT_FOUND);
        if (!absent || program.chars().noneMatch(Character::isWhitespace)) {
            return Optional.empty();
        }
        List<String> rest = command.subList(1, command.size());
        String line = rest.isEmpty() ? program : program + " " + PosixShell.quote(rest);
        return Optional.of("there is no program with the name \"" + PrintableText.of(program, LONGEST_NAME)
                + "\": run starts one program, without a shell; for a shell line write: clusterwright run " + cluster
                + " -- sh -c " + PosixShell.quote(line));
    }

    /** The account of this name, or the login user where none was given. */
    static UserName account(Cluster open, @Nullable String user) {
        return user == null ? open.loginUser() : UserName.of(user);
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
