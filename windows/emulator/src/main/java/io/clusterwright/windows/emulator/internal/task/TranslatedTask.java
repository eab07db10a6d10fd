package io.clusterwright.windows.emulator.internal.task;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.windows.emulator.TaskRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A task on real nodes: {@code mpiexec} of MS-MPI is translated to the MPI of these nodes. */
public final class TranslatedTask {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int NOT_TRANSLATED = 1;
    private static final int TIMED_OUT = -2;
    private static final int ABORTED = -1;
    private static final String CRLF = "\r\n";

    private final TaskRunner.Run task;
    private final NodeTarget target;
    private final int mostIterations;
    private final Consumer<String> output;

    private TranslatedTask(TaskRunner.Run task, NodeTarget target, int mostIterations, Consumer<String> output) {
        this.task = task;
        this.target = target;
        this.mostIterations = mostIterations;
        this.output = output;
    }

    /**
     * Runs tasks on these nodes.
     *
     * @param mostIterations the largest number of times that a ping-pong sends each message
     */
    public static TaskRunner runner(JobTarget target, int mostIterations) {
        return (task, output) -> {
            List<NodeName> names =
                    task.nodes().stream().map(name -> find(target, name)).toList();
            return new TranslatedTask(task, NodeTarget.of(target).only(names), mostIterations, output).run();
        };
    }

    private static NodeName find(JobTarget target, String name) {
        return target.nodeNames().stream()
                .filter(node -> node.value().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow();
    }

    /** Runs it to its end. */
    private int run() throws InterruptedException {
        try {
            List<String> words = CommandLine.words(task.commandLine(), task.environment());
            if (words.isEmpty()) {
                throw new IllegalArgumentException("the task has no command");
            }
            Mpiexec mpiexec = Mpiexec.read(words).orElse(null);
            return mpiexec == null ? alone(words) : ranks(mpiexec);
        } catch (IllegalArgumentException | InvalidValueException e) {
            output.accept(e.getMessage() + CRLF);
            return NOT_TRANSLATED;
        } catch (OperationInterruptedException e) {
            throw interrupted(e);
        }
    }

    private static InterruptedException interrupted(ClusterwrightException e) {
        if (!Thread.interrupted()) {
            throw e;
        }
        InterruptedException ended = new InterruptedException(e.getMessage());
        ended.initCause(e);
        return ended;
    }

    private int alone(List<String> words) {
        Command command = Command.of(words).timeout(LONGEST);
        for (Map.Entry<String, String> variable : task.environment().entrySet()) {
            command = command.environment(variable.getKey(), variable.getValue());
        }
        CommandResult result = target.session(target.nodes().get(0).name()).run(command);
        output.accept((result.stdout() + result.stderr()).replace("\n", CRLF));
        return result.exitStatus();
    }

    private int ranks(Mpiexec mpiexec) {
        return Mpiexec.PingPong.isPingPong(mpiexec.program()) ? pingPong(mpiexec) : program(mpiexec);
    }

    private int program(Mpiexec mpiexec) {
        MpiJob job = MpiJob.of(mpiexec.program());
        if (mpiexec.ranks() > 0) {
            job = job.ranks(mpiexec.ranks());
        }
        if (mpiexec.ranksPerNode() > 0) {
            job = job.ranksPerNode(mpiexec.ranksPerNode());
        }
        if (!mpiexec.workingDirectory().isEmpty()) {
            job = job.workingDirectory(mpiexec.workingDirectory());
        }
        return run(job, mpiexec, target);
    }

    private int pingPong(Mpiexec mpiexec) {
        if (target.nodes().size() < 2) {
            throw new IllegalArgumentException("a ping-pong needs two nodes, and the job was given "
                    + target.nodes().size());
        }
        Mpiexec.PingPong asked = Mpiexec.PingPong.read(mpiexec.program());
        int repeats = Math.min(mostIterations, asked.iterations() == 0 ? mostIterations : asked.iterations());
        List<NodeName> pair =
                target.nodes().stream().map(LaunchNode::name).limit(2).toList();
        NodeTarget two = target.only(pair);
        NetPipe program = NetPipe.find(two);
        List<String> argv = new ArrayList<>(List.of(program.path()));
        argv.addAll(List.of("-p", "0", "-l", "" + asked.least(), "-u", "" + asked.most()));
        argv.addAll(List.of("-n", "" + repeats, "-o", "/dev/null"));
        // Without the word by which the readers of tables would take the rest for Microsoft's program.
        output.accept("Emulated head node: " + String.join(" ", argv) + " between " + pair.get(0) + " and "
                + pair.get(1) + " in the place of MS-MPI's own program" + CRLF);
        return run(MpiJob.of(argv).ranksPerNode(1).flavour(program.flavour()), mpiexec, two);
    }

    private int run(MpiJob given, Mpiexec mpiexec, NodeTarget where) {
        MpiJob job = given.withoutRankLabels();
        for (Map.Entry<String, String> variable : mpiexec.environment().entrySet()) {
            job = job.environment(variable.getKey(), variable.getValue());
        }
        if (mpiexec.affinity() && !where.sharesOneMachine()) {
            job = job.binding(Binding.CORE);
        }
        Duration limit = mpiexec.timeoutSeconds() == 0 ? LONGEST : Duration.ofSeconds(mpiexec.timeoutSeconds());
        JobResult result = job.on(where)
                .onOutput(line -> output.accept(line.text() + CRLF))
                .run(limit);
        return switch (result.outcome()) {
            case ENDED -> result.exitStatus().orElse(ABORTED);
            case TIMED_OUT -> TIMED_OUT;
            case LAUNCH_FAILED, NODE_LOST, HUNG, CANCELLED, LOST -> {
                for (Finding finding : result.findings()) {
                    output.accept(finding.message() + CRLF);
                }
                yield ABORTED;
            }
        };
    }

    /**
     * NetPIPE on a node.
     *
     * @param path the program
     * @param flavour the MPI it was built with
     */
    private record NetPipe(String path, MpiFlavour flavour) {
        private static final String FIND = "command -v NPmpich2 || command -v NPopenmpi";

        static NetPipe find(NodeTarget target) {
            CommandResult found = target.session(target.nodes().get(0).name()).run(Command.of("/bin/sh", "-c", FIND));
            String path = found.stdout().strip();
            if (path.isEmpty()) {
                throw new IllegalArgumentException("no ping-pong program is on node "
                        + target.nodes().get(0).name()
                        + ": install NetPIPE (Debian: netpipe-mpich2 or netpipe-openmpi)");
            }
            return new NetPipe(path, path.endsWith("mpich2") ? MpiFlavour.MPICH : MpiFlavour.OPEN_MPI);
        }
    }
}
