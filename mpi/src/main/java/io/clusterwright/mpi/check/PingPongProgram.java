package io.clusterwright.mpi.check;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A ping-pong benchmark found on a node.
 *
 * @param path the program
 * @param start the command that starts it, to which arguments are appended; of one that is searched for, the launcher and NetPIPE's name
 */
record PingPongProgram(String path, List<String> start) {
    /** The largest message of {@link #shortest}, in bytes. */
    static final long SHORTEST = 8;

    private static final String JAVA = "JavaPingPong";
    private static final String SEARCHED = "benchmark";
    private static final long LARGEST = 4_194_304;
    private static final long LARGEST_OF_BRIEF = 1_048_576;

    /** The benchmark on the first node of a target; where no session to it can be opened, each rank searches its node for one. */
    static Optional<PingPongProgram> on(LaunchTarget target, MpiInstallation mpi) {
        return target instanceof NodeTarget nodes
                ? find(nodes.session(nodes.nodes().get(0).name()), mpi)
                : Optional.of(new PingPongProgram(SEARCHED, List.of(mpi.mpirun(), netPipe(mpi.flavour()))));
    }

    private static Optional<PingPongProgram> find(NodeSession session, MpiInstallation mpi) {
        String find = "for name in \"$@\"; do if command -v \"$name\"; then exit 0; fi; done; exit 1";
        List<String> names = names(mpi.folder(), netPipe(mpi.flavour()));
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", find, "find"));
        argv.addAll(names);
        String path = session.run(Command.of(argv)).stdout().strip();
        return path.isEmpty() ? Optional.empty() : Optional.of(new PingPongProgram(path, List.of(path)));
    }

    private static List<String> names(String folder, String netPipe) {
        return List.of(
                netPipe,
                folder + "/IMB-MPI1",
                "IMB-MPI1",
                folder + "/../tests/imb/IMB-MPI1",
                "osu_latency",
                folder + "/../tests/osu/osu_latency");
    }

    /** There is no benchmark for this MPI on a node. */
    static ClusterwrightException notFound(NodeName node, MpiInstallation mpi) {
        String missing = switch (mpi.flavour()) {
            case MPICH -> "netpipe-mpich2";
            case OPEN_MPI -> "netpipe-openmpi";
            default -> "IMB or the OSU benchmarks";
        };
        return new ClusterwrightException("no ping-pong benchmark for " + mpi + " is installed on " + node
                + ": install " + missing + " on every node, or install Java 17 and use the library's ping-pong");
    }

    /** Our own program, started by this command. */
    static PingPongProgram java(List<String> start) {
        return new PingPongProgram(JAVA, List.copyOf(start));
    }

    private static String netPipe(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> "NPmpich2";
            case OPEN_MPI, HPC_X -> "NPopenmpi";
            case INTEL_MPI, MVAPICH2, MS_MPI -> "NPmpi";
        };
    }

    /**
     * The command that measures all sizes. NetPIPE takes a quarter of a second for each unless it is given a number of repeats, which
     * suits nodes that share one machine; the brief table stops at 1 MiB where the program can.
     */
    List<String> table(boolean oneMachine, boolean brief) {
        if (isSearched()) {
            return searching(each -> each.table(oneMachine, brief));
        }
        if (isNetPipe()) {
            List<String> repeats =
                    brief ? List.of("-n", oneMachine ? "3" : "100") : oneMachine ? List.of("-n", "20") : List.of();
            return netPipe(largest(brief), repeats);
        }
        if (isJava()) {
            return started("--max", Long.toString(largest(brief)), "--time", brief ? "20" : "100");
        }
        return name().startsWith("IMB") ? List.of(path, "pingpong") : List.of(path);
    }

    /** The command that sends a few small messages. */
    List<String> shortest() {
        if (isSearched()) {
            return searching(PingPongProgram::shortest);
        }
        if (isNetPipe()) {
            return netPipe(SHORTEST, List.of("-n", "1"));
        }
        if (isJava()) {
            return started("--max", Long.toString(SHORTEST), "--repetitions", "1");
        }
        return name().startsWith("IMB")
                ? List.of(path, "pingpong", "-msglog", "0:3", "-iter", "1")
                : List.of(path, "-m", Long.toString(SHORTEST), "-i", "1");
    }

    private List<String> netPipe(long largest, List<String> more) {
        List<String> all = List.of(path, "-p", "0", "-u", Long.toString(largest), "-o", "/dev/null");
        return Stream.concat(all.stream(), more.stream()).toList();
    }

    /** A script that finds the launcher's folder and starts the first benchmark that is there. */
    private List<String> searching(Function<PingPongProgram, List<String>> command) {
        StringBuilder script = new StringBuilder("cw=$(command -v \"$1\"); cw=${cw%/*}; ");
        for (String name : names("$cw", start.get(1))) {
            List<String> words = command.apply(new PingPongProgram(name, List.of(name)));
            script.append("if command -v \"%1$s\" >/dev/null; then exec \"%1$s\" %2$s; fi; "
                    .formatted(name, String.join(" ", words.subList(1, words.size()))));
        }
        script.append(
                "echo \"clusterwright: no ping-pong benchmark (NetPIPE, IMB or OSU) is on $(hostname)\" >&2; exit 127");
        return List.of("/bin/sh", "-c", script.toString(), "benchmark", start.get(0));
    }

    private List<String> started(String... arguments) {
        return Stream.concat(start.stream(), Stream.of(arguments)).toList();
    }

    private boolean isSearched() {
        return path.equals(SEARCHED);
    }

    private boolean isJava() {
        return path.equals(JAVA);
    }

    private boolean isNetPipe() {
        return name().startsWith("NP");
    }

    private long largest(boolean brief) {
        return brief && (isNetPipe() || isJava() || isSearched()) ? LARGEST_OF_BRIEF : LARGEST;
    }

    /** Whether this is the last row that the table has. */
    boolean endsWith(BenchmarkRow row, boolean brief) {
        return row.bytes().orElse(0) >= largest(brief);
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
