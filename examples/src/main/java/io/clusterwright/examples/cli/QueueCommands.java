package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.AttachOption;
import io.clusterwright.examples.options.JobOptions;
import io.clusterwright.examples.options.StandardInput;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for jobs in the queue of a cluster's scheduler. */
final class QueueCommands {
    private static final int SHORT_ID = 8;

    private QueueCommands() {}

    /** The queue of a cluster. */
    private static JobTarget queue(Cluster cluster) {
        if (cluster.spec().scheduler() == Scheduler.NONE) {
            throw new RefusedException("cluster " + cluster.name() + " has no queue: write scheduler: slurm in its spec"
                    + " and create it again, or run the job at once with clusterwright mpi " + cluster.name());
        }
        return JobTarget.scheduled(cluster);
    }

    /** Prints jobs as a table or JSON. */
    static void list(ProgramCommand command, List<QueuedJob.Listed> jobs) {
        int ids = jobs.stream().mapToInt(job -> job.id().length()).max().orElse(0);
        String row = "%-" + Math.max(ids, SHORT_ID) + "s %-11s %-12s %-16s %s";
        if (!command.json) {
            command.out.println(
                    jobs.isEmpty() ? "no jobs" : String.format(row, "id", "state", "user", "nodes", "name"));
        }
        command.print(
                jobs,
                job -> ResultJson.queued(job.id(), job.status())
                        .put("user", job.user())
                        .put("nodes", job.nodes())
                        .put("name", job.name()),
                job -> {
                    String reason = job.status().reason();
                    command.out.println(String.format(
                                    Locale.ROOT,
                                    row,
                                    job.id(),
                                    ResultJson.word(job.status().state()),
                                    job.user(),
                                    job.nodes().isEmpty() ? "-" : job.nodes(),
                                    job.name() + (reason.isEmpty() ? "" : " (" + reason + ")"))
                            .stripTrailing());
                });
    }

    @Command(
            name = "submit",
            description = "Submits an MPI job to the queue of the cluster's scheduler and prints its id.",
            customSynopsis = "clusterwright submit [OPTIONS] NAME -- PROGRAM [ARGUMENT]...",
            footer = "Put -- before the program. It needs no input: the job runs without this program.")
    static final class Submit extends ClusterCommand {
        @Mixin
        private JobOptions options = new JobOptions();

        @Parameters(
                arity = "1..*",
                index = "1..*",
                paramLabel = "PROGRAM",
                description = "The program and its arguments.")
        private List<String> program = List.of();

        @Override
        public Integer call() {
            options.check(program);
            options.limit();
            return super.call();
        }

        @Override
        int run(ClusterManager manager) {
            try (Cluster open = manager.open(name())) {
                if (!StandardInput.of(null).isEmpty()) {
                    throw new RefusedException("a queued job gets no input: put it into a file with --stage-in and let"
                            + " the program read it, or run the job at once with clusterwright mpi " + name());
                }
                MpiJob job = options.job(program).withoutRankLabels();
                QueuedJob queued = job.on(options.chosen(open, queue(open))).submit(options.limit());
                if (json) {
                    print(ResultJson.queued(queued.id(), queued.status()));
                } else {
                    out.println(queued.id());
                }
                return ExitCodes.OK;
            }
        }
    }

    @Command(name = "jobs", description = "Lists the jobs of the cluster's queue, those that ended lately as well.")
    static final class Jobs extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            try (Cluster open = manager.open(name())) {
                list(this, QueuedJob.list(queue(open)));
                return ExitCodes.OK;
            }
        }
    }

    /** A command about one job. */
    abstract static class OneJob extends ClusterCommand {
        @Parameters(index = "1", paramLabel = "ID", description = "The id that submit printed and jobs lists.")
        private String id = "";

        /** Does the work; returns the exit status. */
        abstract int run(QueuedJob job);

        @Override
        final int run(ClusterManager manager) {
            try (Cluster open = manager.open(name())) {
                return run(QueuedJob.find(queue(open), id));
            }
        }
    }

    @Command(name = "cancel", description = "Ends a job of the queue, with its processes on every node.")
    static final class Cancel extends OneJob {
        private static final Duration END = Duration.ofMinutes(1);

        @Override
        int run(QueuedJob job) {
            QueuedJobStatus before = AttachOption.known(job);
            Map<NodeName, Leftovers> ended = job.cancel();
            QueuedJobStatus after = job.await(END).orElseGet(job::status);
            if (json) {
                print(ResultJson.queued(job.id(), after));
            } else {
                out.println(
                        before.ended()
                                ? job.name() + " had ended: " + before
                                : job.name() + ": " + after + killed(ended));
            }
            return ExitCodes.ofWork(after.ended());
        }

        private static String killed(Map<NodeName, Leftovers> ended) {
            long processes = ended.values().stream()
                    .mapToLong(each -> each.found() - each.remaining())
                    .sum();
            return processes == 0 ? "" : ", " + processes + " processes ended";
        }
    }

    @Command(name = "output", description = "Prints the output of a job of the queue, so far or whole.")
    static final class Output extends OneJob {
        private static final Duration LONGEST = Duration.ofDays(3650);

        @Option(names = "--follow", description = "Wait for the end of the job and print its output as it comes.")
        private boolean follow;

        @Option(names = "--output", paramLabel = "FILE", description = "Write it to this file instead, of any size.")
        private @Nullable Path file;

        @Override
        int run(QueuedJob job) {
            QueuedJobStatus now = AttachOption.known(job);
            if (follow) {
                return follow(this, job, file);
            }
            if (now.state() == QueuedJobStatus.State.WAITING) {
                throw new ClusterwrightException(job.name() + " has not started: " + now + "; --follow waits for it");
            }
            if (file != null) {
                job.downloadOutput(file);
            } else if (json) {
                print(ResultJson.queued(job.id(), now).put("output", job.output()));
            } else {
                out.print(job.output());
            }
            return ExitCodes.OK;
        }

        /** Prints the output as it comes, or writes all of it to a file after the end; returns the exit status. */
        static int follow(ProgramCommand command, QueuedJob job, @Nullable Path file) {
            QueuedJobResult result = job.follow(LONGEST, line -> {
                        if (!command.json && file == null) {
                            command.out.println(line.text());
                        }
                    })
                    .orElseThrow();
            QueuedJobStatus end = result.status();
            if (file != null) {
                job.downloadOutput(file);
            } else if (command.json) {
                command.print(ResultJson.queued(job.id(), end)
                        .put("output", result.outputTail().isEmpty() ? "" : job.output()));
            }
            return ExitCodes.ofWork(end.succeeded());
        }
    }
}
