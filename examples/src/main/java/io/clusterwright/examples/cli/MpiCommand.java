package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.AzureOptions;
import io.clusterwright.examples.options.HostOptions;
import io.clusterwright.examples.options.JobOptions;
import io.clusterwright.examples.options.StandardInput;
import io.clusterwright.mpi.JobAttempts;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.OutputLine;
import io.clusterwright.mpi.PlacedMpiJob;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "mpi",
        description = "Runs an MPI job and streams its output.",
        customSynopsis = "clusterwright mpi [OPTIONS] (NAME | --hostfile=FILE) -- PROGRAM [ARGUMENT]...",
        footer = "Put -- before the program. Piped input reaches rank 0.")
final class MpiCommand extends ProgramCommand {
    @Mixin
    private JobOptions options = new JobOptions();

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--launch-over",
            paramLabel = "sessions|ssh",
            description =
                    "Start the launcher's proxies over the open SSH sessions or by ssh; default: through the scheduler"
                            + " of the spec, or else over sessions where the MPI allows it.")
    private @Nullable LaunchPath path;

    @Option(
            names = "--stdin",
            paramLabel = "FILE|-",
            description = "Input of rank 0; - waits for all of standard input. Default: piped input, if there is any.")
    private @Nullable String stdin;

    @Option(
            names = "--stage-out",
            paramLabel = "PATH[:DIR]",
            description = "File of the first node that is copied into a local folder after the job, also when it"
                    + " failed; default: the current folder.")
    private List<String> stagedOut = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Write the output of each rank to files of this folder, too: rank-0.out, rank-0.err, ...")
    private @Nullable Path output;

    @Option(names = "--label", description = "Print the rank before each line, as [3].")
    private boolean labelled;

    @Option(
            names = "--retry",
            paramLabel = "N",
            description = "After the loss of a node, start again on the others, at most N times; default: 0.")
    private int retries;

    @Parameters(
            arity = "0..*",
            index = "0..*",
            paramLabel = "NAME PROGRAM",
            description = "The cluster's name, then the program and its arguments.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        if (hosts.withoutHosts()) {
            throw new RefusedException(
                    "--user, --key, --known-hosts and --port need --hostfile: a cluster has its own");
        }
        List<String> program = hosts.given() ? words : words.subList(Math.min(1, words.size()), words.size());
        if (program.isEmpty()) {
            throw new RefusedException("no program was given: write clusterwright mpi "
                    + (hosts.given() ? "--hostfile FILE" : "NAME") + " -- PROGRAM");
        }
        if (retries < 0) {
            throw new RefusedException("--retry " + retries + " is not a number of retries: give 0 or more");
        }
        options.check(program);
        options.limit();
        if (hosts.given()) {
            try (Cluster open = hosts.connect()) {
                return run(open, program);
            }
        }
        ClusterName name = ClusterName.parse(words.get(0));
        try (ClusterManager manager = managerOf(name, azure);
                Cluster open = manager.open(name)) {
            return run(open, program);
        }
    }

    private int run(Cluster open, List<String> program) {
        JobTarget all = path == null ? JobTarget.scheduled(open) : JobTarget.of(open);
        PlacedMpiJob placed = job(open, program).on(options.chosen(open, all)).onOutput(this::print);
        placed = output == null ? placed : placed.outputTo(output);
        JobResult result = result(placed);
        if (json) {
            print(ResultJson.job(result));
        } else {
            ProgressPrinter notes = new ProgressPrinter();
            result.findings().forEach(notes::finding);
            result.launchFailures().forEach(failure -> notes.line(failure.toString()));
            notes.failure(result);
        }
        return ExitCodes.ofWork(StandardInput.reached(stdin, "job", new ProgressPrinter()) && result.succeeded());
    }

    private MpiJob job(Cluster open, List<String> program) {
        MpiJob job = options.job(program, open, open.mpiUser());
        job = labelled || output != null ? job : job.withoutRankLabels();
        job = path == null ? job : path == LaunchPath.SSH ? job.launchOverSsh() : job.launchOverSessions();
        try {
            for (String staged : stagedOut) {
                int colon = staged.lastIndexOf(':');
                job = colon < 0
                        ? job.stageOut(staged, Path.of("."))
                        : job.stageOut(staged.substring(0, colon), Path.of(staged.substring(colon + 1)));
            }
        } catch (InvalidValueException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
        StandardInput input = StandardInput.of(stdin);
        Path file = input.file();
        return input.isEmpty() ? job : file == null ? job.stdin(input.bytes()) : job.stdin(file);
    }

    private JobResult result(PlacedMpiJob placed) {
        if (retries == 0) {
            return placed.run(options.limit());
        }
        JobAttempts attempts = placed.run(options.limit(), JobPolicy.attempts(retries + 1));
        ProgressPrinter notes = new ProgressPrinter();
        for (JobAttempts.JobAttempt attempt : attempts.attempts()) {
            if (!attempt.result().succeeded()) {
                notes.line("attempt " + attempt.number() + " on " + NodeSet.fold(attempt.nodes()) + ": "
                        + ResultJson.word(attempt.result().outcome())
                        + (attempt.lost().isEmpty() ? "" : ", lost " + NodeSet.fold(attempt.lost()))
                        + (attempt.next().isEmpty() ? "" : "; " + attempt.next()));
            }
        }
        return attempts.result();
    }

    private void print(OutputLine line) {
        if (!json) {
            String label =
                    labelled && line.rank().isPresent() ? "[" + line.rank().getAsInt() + "] " : "";
            (line.stream() == OutputListener.Stream.STDOUT ? out : System.err).println(label + line.text());
        }
    }

    /** The values of {@code --launch-over}. */
    enum LaunchPath {
        SESSIONS,
        SSH
    }
}
