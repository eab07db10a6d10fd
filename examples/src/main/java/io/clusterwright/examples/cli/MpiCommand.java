package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.job.JobTarget;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "mpi",
        description = "Runs an MPI job and streams its output.",
        customSynopsis = {
            "clusterwright mpi [OPTIONS] (NAME | --hostfile=FILE) -- PROGRAM [ARGUMENT]...",
            "clusterwright mpi NAME --attach[=ID] [--json]"
        },
        footer =
                "Put -- before the program. Piped input reaches rank 0. A lone ':' starts another program: -n 2 -- a : -n 4"
                        + " b; an argument that is a lone ':' is written \\:.")
final class MpiCommand extends ProgramCommand {
    @Mixin
    private JobOptions options = new JobOptions();

    @Mixin
    private JobOptions.OnHosts hosts = new JobOptions.OnHosts();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--launch-over",
            paramLabel = "sessions|ssh",
            description =
                    "Start the launcher's helpers over the open SSH sessions or by ssh. Default: by the scheduler of the"
                            + " spec; without a scheduler, over sessions for MPICH and by ssh for other MPIs.")
    private @Nullable LaunchPath path;

    @Option(
            names = "--stdin",
            paramLabel = "FILE|-",
            description = "Input of rank 0; - waits for all of standard input. Default: piped input, if there is any.")
    private @Nullable String stdin;

    @Option(
            names = "--stage-out",
            paramLabel = "PATH[:DIR]",
            description = "File of the first node, copied into a local folder after the job, also after a failed"
                    + " job; default: the current folder. PATH is absolute, below ~/, or below the folder in which the"
                    + " ranks start.")
    private List<String> stagedOut = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Write the output of each rank to files of this folder, too: rank-0.out, rank-0.err, ...")
    private @Nullable Path output;

    @Option(names = "--label", description = "Print the rank before each line, as [3].")
    private boolean labelled;

    @Mixin
    private JobOptions.Retry retry = new JobOptions.Retry();

    @Mixin
    private AttachOption attach = new AttachOption();

    @Parameters(
            arity = "0..*",
            index = "0..*",
            paramLabel = "NAME PROGRAM",
            description = "The cluster's name, then the program and its arguments.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec command = CommandSpec.create();

    private final JobPrinter printer = new JobPrinter(this);

    @Override
    public Integer call() {
        hosts.check();
        if (hosts.given()) {
            requireNoName();
        }
        if (labelled) {
            printer.label();
        }
        List<String> program = hosts.given() ? words : words.subList(Math.min(1, words.size()), words.size());
        if (attach.given()) {
            requireQueue(program);
        } else {
            if (program.isEmpty()) {
                throw new RefusedException("no program was given: write clusterwright mpi "
                        + (hosts.given() ? "--hostfile FILE" : "NAME") + " -- PROGRAM");
            }
            retry.check();
            options.job(program);
            options.limit();
        }
        if (hosts.given()) {
            try (Cluster open = hosts.connect()) {
                return run(open, program);
            }
        }
        ClusterName name = ClusterName.of(words.get(0));
        try (ClusterManager manager = managerOf(name, azure);
                Cluster open = manager.open(name)) {
            return attach.given() ? attach(open) : run(open, program);
        }
    }

    /** Refuses words in front of {@code --}: with {@code --hostfile} there is no cluster to name. */
    private void requireNoName() {
        List<String> given = command.commandLine().getParseResult().originalArgs();
        int end = given.indexOf("--");
        int before = words.size() - (given.size() - end - 1);
        if (end >= 0 && before > 0) {
            throw new RefusedException(String.join(" ", words.subList(0, before))
                    + " stands before --, and --hostfile takes the place of a cluster's name: write clusterwright mpi"
                    + " --hostfile FILE -- PROGRAM, or remove --hostfile");
        }
    }

    private void requireQueue(List<String> program) {
        if (hosts.given()) {
            throw new RefusedException(
                    "a job on the hosts of --hostfile ends with this program, so --attach has no job; use a"
                            + " cluster with scheduler: slurm or hpc-pack in its spec, and clusterwright submit");
        }
        if (words.isEmpty()) {
            throw new RefusedException("no cluster was named: write clusterwright mpi NAME --attach ID");
        }
        attach.check(program, "clusterwright mpi " + ClusterName.of(words.get(0)));
    }

    private int attach(Cluster open) {
        if (open.spec().scheduler() == Scheduler.NONE) {
            throw new RefusedException("jobs of cluster " + open.name()
                    + " end with the program that runs them, so --attach has no job; write scheduler: slurm in"
                    + " its spec, and start jobs with clusterwright submit");
        }
        return attach.watch(
                JobTarget.scheduled(open),
                printer,
                "clusterwright mpi " + open.name(),
                "clusterwright cancel " + open.name());
    }

    private int run(Cluster open, List<String> program) {
        JobTarget all = path == null ? JobTarget.scheduled(open) : JobTarget.of(open);
        PlacedMpiJob placed = job(program).on(options.chosen(open, all)).onOutput(printer);
        placed = output == null ? placed : placed.outputTo(output);
        int status = printer.end(retry.run(placed, options.limit()));
        return StandardInput.reached(stdin, "job", new ProgressPrinter()) ? status : ExitCodes.FAILED;
    }

    private MpiJob job(List<String> program) {
        MpiJob job = options.job(program);
        job = labelled || output != null ? job : job.withoutRankLabels();
        job = path == null ? job : path == LaunchPath.SSH ? job.launchOverSsh() : job.launchOverSessions();
        for (String staged : stagedOut) {
            JobOptions.StagedOut file = JobOptions.StagedOut.parse(staged);
            job = job.stageOut(file.path(), file.folder());
        }
        StandardInput input = StandardInput.of(stdin);
        Path file = input.file();
        return input.isEmpty() ? job : file == null ? job.stdin(input.bytes()) : job.stdin(file);
    }

    /** The values of {@code --launch-over}. */
    enum LaunchPath {
        SESSIONS,
        SSH
    }
}
