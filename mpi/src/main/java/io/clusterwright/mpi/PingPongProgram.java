package io.clusterwright.mpi;

import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.bench.BenchmarkRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A ping-pong benchmark found on a node.
 *
 * @param argv the program and the arguments that make it measure up to 4 MiB
 */
record PingPongProgram(List<String> argv) {
    private static final long LARGEST = 4_194_304;

    static Optional<PingPongProgram> find(NodeSession session, MpiInstallation mpi, boolean brief) {
        String find = "for name in \"$@\"; do if command -v \"$name\"; then exit 0; fi; done; exit 1";
        List<String> names = List.of(
                netPipe(mpi.flavour()),
                mpi.folder() + "/IMB-MPI1",
                "IMB-MPI1",
                mpi.folder() + "/../tests/imb/IMB-MPI1",
                "osu_latency",
                mpi.folder() + "/../tests/osu/osu_latency");
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", find, "find"));
        argv.addAll(names);
        String path = session.run(Command.of(argv)).stdout().strip();
        return path.isEmpty() ? Optional.empty() : Optional.of(new PingPongProgram(arguments(path, brief)));
    }

    private static String netPipe(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> "NPmpich2";
            case OPEN_MPI, HPC_X -> "NPopenmpi";
            case INTEL_MPI, MVAPICH2, MS_MPI -> "NPmpi";
        };
    }

    /** NetPIPE takes a quarter of a second for each of its sizes unless it is given a number of repeats. */
    private static List<String> arguments(String path, boolean brief) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (name.startsWith("NP")) {
            List<String> all = List.of(path, "-p", "0", "-u", Long.toString(LARGEST), "-o", "/dev/null");
            return brief ? Stream.concat(all.stream(), Stream.of("-n", "20")).toList() : all;
        }
        return name.startsWith("IMB") ? List.of(path, "pingpong") : List.of(path);
    }

    /** Whether this is the last row that the program prints. */
    boolean endsWith(BenchmarkRow row) {
        return row.bytes().orElse(0) >= LARGEST;
    }

    String name() {
        return argv.get(0).substring(argv.get(0).lastIndexOf('/') + 1);
    }
}
