package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.UserName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description =
                "Runs a command on nodes in parallel; equal output is shown once. The output of one node comes as it is.",
        footer =
                "Put -- before the command. It runs as one program, without a shell; a shell line: -- sh -c 'df -h | head'."
                        + " Piped input reaches the command on every node.")
final class RunOnNodesCommand extends ClusterCommand.OnNodes {
    /** The exit status where the account may not run the program. */
    private static final int NOT_ALLOWED = 126;
    /** The exit status where the node has no such program. */
    private static final int NOT_FOUND = 127;

    /**
     * What a terminal shows like the beginning of the line that names nodes: dashes, with colours and characters without width. Some terminals show
     * a soft hyphen as a hyphen, and others do not show it.
     */
    private static final Pattern HEADING = Pattern.compile(heading("", "\\u00ad") + "|" + heading("\\u00ad", ""));

    private static final int LONGEST_NAME = 80;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration SECOND = Duration.ofSeconds(1);

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

    private final ProgressPrinter progress = new ProgressPrinter();

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
                .input(input.bytes())
                .outliveConnection();
        List<NodeName> chosen = NodeChoice.of(open, nodes);
        boolean succeeded = chosen.size() == 1 && !json
                ? stream(open, chosen.get(0), what)
                : grouped(open, open.run(what, chosen, account(open, user)));
        return ExitCodes.ofWork(StandardInput.reached(stdin, "command", progress) && succeeded);
    }

    /** Hands on the output of one node as it comes, to the byte and without limit. */
    private boolean stream(Cluster open, NodeName node, io.clusterwright.core.Command what) {
        OptionalInt status;
        try (RunningCommand running = open.start(
                what,
                node,
                account(open, user),
                (stream, bytes, length) ->
                        (stream == OutputListener.Stream.STDOUT ? out : System.err).write(bytes, 0, length))) {
            running.endInput();
            status = await(running, node);
            if (status.isEmpty()) {
                throw new CommandException.TimedOut(
                        node,
                        "on " + node + ", `" + what + "` did not end within " + timeoutSeconds + " s " + end(running)
                                + "; raise --timeout");
            }
        } finally {
            System.err.flush();
        }
        int ended = status.getAsInt();
        if (ended != 0) {
            progress.line("exit status " + ended);
        }
        explain(open, List.of(ended));
        return ended == 0;
    }

    private static String end(RunningCommand running) {
        try {
            running.cancel(GRACE);
            return "and has been ended";
        } catch (ClusterwrightException e) {
            return "and may still run (" + e.getMessage() + ")";
        }
    }

    private OptionalInt await(RunningCommand running, NodeName node) {
        boolean connected = true;
        for (int second = 0; second < timeoutSeconds; second++) {
            OptionalInt status = running.await(SECOND);
            if (status.isPresent()) {
                return status;
            }
            if (connected != running.isConnected()) {
                connected = !connected;
                progress.line("the connection to " + node
                        + (connected ? " is open again" : " was lost, and is opened again; the command runs on"));
            }
        }
        return OptionalInt.empty();
    }

    private boolean grouped(Cluster open, NodeResults results) {
        print(
                () -> JsonFields.list(results.outcomes(), NodeOutcome::toMap),
                () -> results.groupedBy(RunOnNodesCommand::bytes).forEach((bytes, members) -> {
                    out.println("--- " + NodeSet.fold(members));
                    String shown = TerminalOutput.filters() ? marked(bytes) : bytes;
                    out.writeBytes(shown.getBytes(StandardCharsets.ISO_8859_1));
                    if (!bytes.isEmpty() && !bytes.endsWith("\n")) {
                        out.println();
                    }
                }));
        List<CommandResult> completed = results.outcomes().stream()
                .filter(NodeOutcome.Completed.class::isInstance)
                .map(outcome -> ((NodeOutcome.Completed) outcome).result())
                .toList();
        completed.stream()
                .filter(result -> result.lostBytes() > 0)
                .forEach(result -> progress.line("warning: " + result.node() + " printed more than is kept: the first "
                        + result.lostBytes() + " bytes are missing; for output of any size write run " + name()
                        + " --nodes " + result.node() + " without --json"));
        explain(open, completed.stream().map(CommandResult::exitStatus).toList());
        return results.succeeded();
    }

    /** Prints what to write where a node has no such program, or the account may not run it. */
    private void explain(Cluster open, List<Integer> statuses) {
        boolean absent = statuses.contains(NOT_FOUND);
        shellLine(name().value(), command, absent).ifPresent(progress::line);
        if (command.get(0).contains("/") && (absent || statuses.contains(NOT_ALLOWED))) {
            ofJobs(open, user).ifPresent(progress::line);
        }
    }

    private static String heading(String hyphen, String invisible) {
        return "(?:NONE*+[\\p{Pd}\\u2212\\u2500\\u2501HYPHEN]){3}NONE*+[\\p{Z}\\t]"
                .replace("HYPHEN", hyphen)
                .replace(
                        "NONE",
                        "(?:\u001b\\[[0-9;]*[mK]|[\\p{Mn}\\p{Me}\\p{Cn}\\u1160-\\u11ff" + invisible
                                + "[\\p{Cf}&&[^\\u00ad]]])");
    }

    /** Output, as bytes, in which no line of a node looks like the line that names nodes. */
    static String marked(String output) {
        return Stream.of(output.split("(?<=\n)"))
                .map(line ->
                        HEADING.matcher(new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                                        .lookingAt()
                                ? " " + line
                                : line)
                .collect(Collectors.joining());
    }

    /** What to write where a whole shell line was given as the name of a program, and a node has no program of that name. */
    static Optional<String> shellLine(String cluster, List<String> command, boolean absent) {
        String program = command.get(0);
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

    /** A word about the account of jobs, where the login user was taken since none was given. */
    static Optional<String> ofJobs(Cluster open, @Nullable String user) {
        return user != null || open.loginUser().equals(open.mpiUser())
                ? Optional.empty()
                : Optional.of("this was the account " + open.loginUser() + "; jobs run as " + open.mpiUser()
                        + ": for files of jobs, write --user " + open.mpiUser());
    }

    /** The bytes to print about a node, as characters of the same number. */
    private static String bytes(NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Completed completed) {
            CommandResult result = completed.result();
            String status = result.succeeded() ? "" : "exit status " + result.exitStatus() + "\n";
            return new String(result.stdoutBytes(), StandardCharsets.ISO_8859_1)
                    + new String(result.stderrBytes(), StandardCharsets.ISO_8859_1)
                    + status;
        }
        return new String(outcome.summary().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
