package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for jobs in the queue of a cluster's scheduler. */
final class QueueCommands {
    private QueueCommands() {}

    /** The queue of a cluster. */
    private static JobTarget queue(Cluster cluster) {
        if (cluster.spec().scheduler() == Scheduler.NONE) {
            throw new RefusedException("cluster " + cluster.name() + " has no queue: write scheduler: slurm in its spec"
                    + " and create it again, or run the job now with clusterwright mpi " + cluster.name());
        }
        return JobTarget.scheduled(cluster);
    }

    @Command(
            name = "submit",
            description = "Submits an MPI job to the queue of the cluster's scheduler and prints its id.",
            customSynopsis = "clusterwright submit [OPTIONS] NAME -- PROGRAM [ARGUMENT]...",
            footer = "Put -- before the program. A queued job has no standard input: it runs without this program.")
    static final class Submit extends ClusterCommand.OnNodes {
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
            options.job(program);
            options.limit();
            return super.call();
        }

        @Override
        int run(ClusterManager manager, Cluster open) {
            if (!StandardInput.of(null).isEmpty()) {
                throw new RefusedException("a queued job has no standard input: copy a file with --stage-in and let"
                        + " the program read it, or run the job now with clusterwright mpi " + name());
            }
            QueuedJob queued = options.job(program)
                    .withoutRankLabels()
                    .on(options.chosen(open, queue(open)))
                    .submit(options.limit());
            return print(() -> JobPrinter.queued(queued.id(), queued.status()), () -> out.println(queued.id()));
        }
    }

    @Command(name = "jobs", description = "Lists the jobs of the cluster's queue, including jobs that ended recently.")
    static final class Jobs extends ClusterCommand.OnNodes {
        @Override
        int run(ClusterManager manager, Cluster open) {
            return new JobPrinter(this).list(QueuedJob.list(queue(open)));
        }
    }

    /** A command about one job. */
    abstract static class OneJob extends ClusterCommand.OnNodes {
        @Parameters(index = "1", paramLabel = "ID", description = "The id that submit printed and jobs lists.")
        private String id = "";

        /** Does the work; returns the exit status. */
        abstract int run(QueuedJob job, QueuedJobStatus now);

        @Override
        final int run(ClusterManager manager, Cluster open) {
            QueuedJob job = QueuedJob.find(queue(open), id);
            return run(job, AttachOption.known(job));
        }
    }

    @Command(name = "cancel", description = "Stops a queued job, with its processes on every node.")
    static final class Cancel extends OneJob {
        private static final Duration END = Duration.ofMinutes(1);

        @Override
        int run(QueuedJob job, QueuedJobStatus before) {
            Map<NodeName, Leftovers> ended = job.cancel();
            QueuedJobStatus after = job.await(END).orElseGet(job::status);
            print(
                    () -> JobPrinter.queued(job.id(), after),
                    () -> out.println(
                            before.ended()
                                    ? job.name() + " had ended: " + before
                                    : job.name() + ": " + after + killed(ended)));
            return ExitCodes.ofWork(after.ended());
        }

        private static String killed(Map<NodeName, Leftovers> ended) {
            long processes = ended.values().stream()
                    .mapToLong(each -> each.found() - each.remaining())
                    .sum();
            return processes == 0 ? "" : ", " + processes + " processes ended";
        }
    }

    @Command(name = "output", description = "Prints the output of a queued job, complete or so far.")
    static final class Output extends OneJob {
        @Option(names = "--follow", description = "Print the output until the job ends.")
        private boolean follow;

        @Option(names = "--output", paramLabel = "FILE", description = "Write output of any size to this file.")
        private @Nullable Path file;

        @Override
        int run(QueuedJob job, QueuedJobStatus now) {
            if (follow) {
                return new JobPrinter(this).follow(job, file);
            }
            if (now.state() == QueuedJobStatus.State.WAITING) {
                throw new ClusterwrightException(job.name() + " has not started: " + now + "; --follow waits for it");
            }
            if (file == null) {
                return new JobPrinter(this).output(job);
            }
            job.downloadOutput(file);
            return ExitCodes.OK;
        }
    }
}
