package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.io.IOException;
import java.nio.file.Files;
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
        abstract int run(Cluster open, QueuedJob job, QueuedJobStatus now);

        @Override
        final int run(ClusterManager manager, Cluster open) {
            QueuedJob job = QueuedJob.find(queue(open), id);
            return run(open, job, AttachOption.known(job));
        }
    }

    @Command(name = "cancel", description = "Stops a queued job, with its processes on every node.")
    static final class Cancel extends OneJob {
        private static final Duration END = Duration.ofMinutes(1);

        @Override
        int run(Cluster open, QueuedJob job, QueuedJobStatus before) {
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

        @Option(
                names = "--stage-out",
                paramLabel = "PATH[:DIR]",
                description =
                        "File or folder of the first node of the job, copied into a local folder after the output;"
                                + " default: the current folder. PATH is absolute, or below the home folder of the account of"
                                + " jobs. With --follow: after the end of the job.")
        private List<String> stagedOut = List.of();

        @Override
        int run(Cluster open, QueuedJob job, QueuedJobStatus now) {
            int status = print(job, now);
            if (!stagedOut.isEmpty()) {
                NodeSession session = open.session(first(open, job), open.mpiUser());
                stagedOut.stream().map(JobOptions.StagedOut::parse).forEach(file -> {
                    try {
                        Files.createDirectories(file.folder());
                    } catch (IOException e) {
                        throw new ClusterwrightException(
                                "cannot create the folder " + file.folder() + ": " + Reason.of(e), e);
                    }
                    session.downloadTree(PosixShell.fromHome(file.path()), file.folder());
                });
            }
            return status;
        }

        private static NodeName first(Cluster open, QueuedJob job) {
            return QueuedJob.list(queue(open)).stream()
                    .filter(each -> each.id().equals(job.id()) && !each.nodes().isEmpty())
                    .map(each -> NodeChoice.of(open, each.nodes()).get(0))
                    .findFirst()
                    .orElseThrow(() -> new ClusterwrightException("the scheduler does not list the nodes of "
                            + job.name() + ": copy the file with clusterwright cp " + open.name() + " --user "
                            + open.mpiUser() + " NODE:PATH DIR"));
        }

        private int print(QueuedJob job, QueuedJobStatus now) {
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
