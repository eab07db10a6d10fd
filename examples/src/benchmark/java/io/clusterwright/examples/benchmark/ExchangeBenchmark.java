package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * How long ranks take to exchange messages with their neighbours, started by plain mpirun with the settings that suit ranks which share
 * cores, and by the library without any. The program measures itself. Needs root, as local nodes do, and on this machine the compilers of
 * both MPIs (Debian: libopenmpi-dev, libmpich-dev).
 */
public final class ExchangeBenchmark {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String PLAIN = "plain mpirun, best settings";
    private static final String LIBRARY = "library, default";
    private static final String PROGRAM = """
            #include <mpi.h>
            #include <stdio.h>
            int main(int argc, char **argv) {
                static char out[1024], in[1024];
                int rank, size;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_size(MPI_COMM_WORLD, &size);
                MPI_Barrier(MPI_COMM_WORLD);
                double start = MPI_Wtime();
                for (int i = 0; i < %d; i++)
                    MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) %% size, 0,
                                 in, sizeof in, MPI_CHAR, (rank + size - 1) %% size, 0,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Barrier(MPI_COMM_WORLD);
                if (rank == 0) printf("seconds %%.6f\\n", MPI_Wtime() - start);
                MPI_Finalize();
                return 0;
            }
            """;

    private ExchangeBenchmark() {}

    /** Arguments: how many ranks, each on its node (4), how many rounds (20), how many exchanges in each (2000). */
    public static void main(String[] arguments) {
        int ranks = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        int exchanges = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2000;
        ClusterSpec spec = SpecReader.read("""
                name: exchange-benchmark
                region: westus
                timeToLive: 1h
                nodes: {count: %d, firstIndex: 1, prefix: eb, size: Standard_A9}
                network: {addressSpace: 10.97.0.0/16, subnet: {name: Subnet-1, range: 10.97.0.0/24}}
                """.formatted(ranks), "benchmark.yaml");
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            try (Cluster cluster = manager.create(spec)) {
                NodeTarget target = NodeTarget.of(JobTarget.of(cluster));
                for (MpiFlavour flavour : List.of(MpiFlavour.OPEN_MPI, MpiFlavour.MPICH)) {
                    measure(target, flavour, rounds, exchanges);
                }
            } finally {
                manager.destroy(spec.name());
            }
        }
    }

    private static void measure(NodeTarget target, MpiFlavour flavour, int rounds, int exchanges) {
        NodeSession first = target.session(target.nodes().get(0).name());
        MpiInstallation mpi = MpiInstallation.on(first).stream()
                .filter(found -> found.flavour() == flavour)
                .findFirst()
                .orElseThrow();
        String program = "/tmp/exchange-" + flavour;
        compile(target, mpi, program, exchanges);
        Command plain = plain(target, mpi, program);
        MpiJob job = MpiJob.of(program).ranksPerNode(1).installation(mpi);

        Map<String, List<Exchange>> times = new LinkedHashMap<>();
        for (int round = -1; round < rounds; round++) {
            Exchange byHand = timed(() -> seconds(first.run(plain.timeout(LIMIT)).orThrow().stdout()));
            Exchange byLibrary = timed(
                    () -> seconds(job.on(target).run(LIMIT).orThrow().outputTail().get(0).text()));
            if (round >= 0) {
                times.computeIfAbsent(PLAIN, key -> new ArrayList<>()).add(byHand);
                times.computeIfAbsent(LIBRARY, key -> new ArrayList<>()).add(byLibrary);
            }
        }
        System.out.printf(
                "%s, %d ranks, %d exchanges, %d rounds, milliseconds%n",
                mpi, target.nodes().size(), exchanges, rounds);
        print("the exchange", times, Exchange::inside);
        print("the whole call", times, Exchange::whole);
    }

    /** Compiles on every node, at the same place. */
    private static void compile(NodeTarget target, MpiInstallation mpi, String program, int exchanges) {
        String compiler = mpi.mpirun().replace("mpirun", "mpicc");
        for (LaunchNode node : target.nodes()) {
            NodeSession session = target.session(node.name());
            session.write(PROGRAM.formatted(exchanges).getBytes(StandardCharsets.UTF_8), program + ".c", 0600);
            session.run(Command.of(compiler, "-O2", "-o", program, program + ".c")).orThrow();
        }
    }

    private static Command plain(NodeTarget target, MpiInstallation mpi, String program) {
        String hosts = target.nodes().stream()
                .map(node -> node.address() + ":1")
                .collect(Collectors.joining(","));
        String network = target.nodes().get(0).address() + "/24";
        String ranks = Integer.toString(target.nodes().size());
        return mpi.isOpenMpi()
                ? Command.of(
                        mpi.mpirun(), "--host", hosts, "-n", ranks, "--bind-to", "none", "--mca", "mpi_yield_when_idle",
                        "1", "--mca", "btl_tcp_if_include", network, "--mca", "oob_tcp_if_include", network, program)
                : Command.of(mpi.mpirun(), "-hosts", hosts, "-n", ranks, program);
    }

    private static double seconds(String text) {
        return Double.parseDouble(text.strip().split(" ")[1]);
    }

    private static Exchange timed(DoubleSupplier run) {
        long start = System.nanoTime();
        double inside = run.getAsDouble();
        return new Exchange(inside * 1e3, (System.nanoTime() - start) / 1e6);
    }

    private static void print(String what, Map<String, List<Exchange>> all, ToDoubleFunction<Exchange> time) {
        System.out.printf("%-28s %8s %8s %8s %12s%n", what, "lower", "median", "upper", "of plain");
        double[] plain = all.get(PLAIN).stream().mapToDouble(time).toArray();
        all.forEach((name, runs) -> {
            double[] times = runs.stream().mapToDouble(time).toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.0f %8.0f %8.0f %11.2fx%n",
                    name,
                    LaunchBenchmark.quartile(times, 1),
                    LaunchBenchmark.quartile(times, 2),
                    LaunchBenchmark.quartile(times, 3),
                    LaunchBenchmark.quartile(times, 2) / LaunchBenchmark.quartile(plain, 2));
        });
    }

    /** Milliseconds of the exchange itself, and from the call until its end. */
    private record Exchange(double inside, double whole) {}
}
