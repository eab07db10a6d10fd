package io.clusterwright.windows.emulator.internal.task;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.windows.emulator.TaskRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
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
        int repeats = Math.min(mostIterations, asked.iterations());
        List<NodeName> nodes = target.nodes().stream().map(LaunchNode::name).toList();
        NetPipe program = NetPipe.find(target);
        List<String> argv = new ArrayList<>(List.of(program.path()));
        argv.addAll(List.of("-p", "0", "-l", "" + asked.bytes(), "-u", "" + asked.bytes()));
        argv.addAll(List.of("-n", "" + repeats, "-o", "/dev/null"));
        output.accept("Emulated head node: " + String.join(" ", argv)
                + " between each pair of nodes in the place of MS-MPI's own program" + CRLF);
        output.accept(PairTable.heading(asked.bytes(), repeats));
        MpiJob job = MpiJob.of(argv).ranksPerNode(1).flavour(program.flavour());
        for (int i = 0; i < nodes.size(); i++) {
            for (int j = i + 1; j < nodes.size(); j++) {
                int exit = pair(job, mpiexec, nodes.get(i), nodes.get(j), asked.bytes());
                if (exit != 0) {
                    return exit;
                }
            }
        }
        return 0;
    }

    /** Measures a pair and writes its row; where there is no number, the output of the program instead. */
    private int pair(MpiJob job, Mpiexec mpiexec, NodeName ping, NodeName pong, long bytes) {
        StringBuilder printed = new StringBuilder();
        int exit = run(job, mpiexec, target.only(List.of(ping, pong)), printed::append);
        OptionalDouble micros = Benchmarks.parse(printed.toString()).reports().stream()
                .flatMap(table -> table.rows().stream())
                .flatMapToDouble(row -> row.latencyMicros().stream())
                .reduce((first, last) -> last);
        if (exit != 0 || micros.isEmpty()) {
            output.accept(printed.toString());
            return exit == 0 ? NOT_TRANSLATED : exit;
        }
        output.accept(PairTable.row(ping, pong, bytes, micros.getAsDouble()));
        return 0;
    }

    private int run(MpiJob given, Mpiexec mpiexec, NodeTarget where) {
        return run(given, mpiexec, where, output);
    }

    private int run(MpiJob given, Mpiexec mpiexec, NodeTarget where, Consumer<String> text) {
        MpiJob job = given.withoutRankLabels();
        for (Map.Entry<String, String> variable : mpiexec.environment().entrySet()) {
            job = job.environment(variable.getKey(), variable.getValue());
        }
        if (mpiexec.affinity() && !where.sharesOneMachine()) {
            job = job.binding(Binding.CORE);
        }
        Duration limit = mpiexec.timeoutSeconds() == 0 ? LONGEST : Duration.ofSeconds(mpiexec.timeoutSeconds());
        JobResult result =
                job.on(where).onOutput(line -> text.accept(line.text() + CRLF)).run(limit);
        return switch (result.outcome()) {
            case ENDED -> result.exitStatus().orElse(ABORTED);
            case TIMED_OUT -> TIMED_OUT;
            case LAUNCH_FAILED, NODE_LOST, HUNG, CANCELLED, LOST -> {
                for (Finding finding : result.findings()) {
                    text.accept(finding.message() + CRLF);
                }
                yield ABORTED;
            }
        };
    }

    /**
     * The table of {@code mpipingpong} as it is published (wacn-crowdsource/techcontent
     * {@code articles/media/virtual-machines-windows-hpcpack-cluster-rdma/pingpong1.png} @e6f39c0).
     */
    private static final class PairTable {
        private static final String FORM = "%-20s %-20s %14s %14s" + CRLF;
        private static final int WIDTH = 71;
        private static final double MEGABYTE = 1024.0 * 1024.0;

        static String heading(long bytes, int iterations) {
            return "Testing packet size " + bytes + " (" + iterations + " iterations per link)" + CRLF + CRLF
                    + String.format(FORM, "Ping Node", "Pong Node", "Latency", "Throughput")
                    + String.format(FORM, "", "", "(usec)", "(MB/sec)") + "-".repeat(WIDTH) + CRLF;
        }

        static String row(NodeName ping, NodeName pong, long bytes, double micros) {
            return String.format(
                    Locale.ROOT, FORM, ping, pong, number(micros), number(bytes / (micros / 1e6) / MEGABYTE));
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.3f", value);
        }
    }

    /**
     * NetPIPE on a node: the NetPIPE of Open MPI where it is installed, as ranks of MPICH before 4.2 may never come back from {@code MPI_Finalize}.
     *
     * @param path the program
     * @param flavour the MPI it was built with
     */
    private record NetPipe(String path, MpiFlavour flavour) {
        private static final String FIND = "command -v NPopenmpi || command -v NPmpich2";

        static NetPipe find(NodeTarget target) {
            CommandResult found = target.session(target.nodes().get(0).name()).run(Command.of("/bin/sh", "-c", FIND));
            String path = found.stdout().strip();
            if (path.isEmpty()) {
                throw new IllegalArgumentException("no ping-pong program is on node "
                        + target.nodes().get(0).name()
                        + ": install NetPIPE (Debian: netpipe-openmpi or netpipe-mpich2)");
            }
            return new NetPipe(path, path.endsWith("mpich2") ? MpiFlavour.MPICH : MpiFlavour.OPEN_MPI);
        }
    }
}
