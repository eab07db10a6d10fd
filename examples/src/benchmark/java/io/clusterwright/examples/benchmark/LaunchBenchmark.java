package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long {@code hostname} takes on every node of a local cluster, side by side: plain mpirun over one session, the same launcher
 * by the library and its ssh, and over the library's sessions. Needs root, as local nodes do.
 */
public final class LaunchBenchmark {
    private static final String PLAIN = "plain mpirun";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LaunchBenchmark() {}

    /** Arguments: how many nodes (16), how many rounds (15), after how many that are not measured (1), which MPI (MPICH, or OPEN_MPI). */
    public static void main(String[] arguments) {
        int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 16;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15;
        int before = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        MpiFlavour flavour = arguments.length > 3 ? MpiFlavour.valueOf(arguments[3]) : MpiFlavour.MPICH;
        ClusterSpec spec = SpecReader.read("""
                name: launch-benchmark
                region: westus
                timeToLive: 1h
                nodes: {count: %d, firstIndex: 1, prefix: lb, size: Standard_A9}
                network: {addressSpace: 10.99.0.0/16, subnet: {name: Subnet-1, range: 10.99.0.0/24}}
                """.formatted(nodes), "benchmark.yaml");
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            try (Cluster cluster = manager.create(spec)) {
                measure(NodeTarget.of(JobTarget.of(cluster)), flavour, rounds, before);
            } finally {
                manager.destroy(spec.name());
            }
        }
    }

    private static void measure(NodeTarget target, MpiFlavour flavour, int rounds, int before) {
        NodeSession first = target.session(target.nodes().get(0).name());
        MpiInstallation mpi = MpiInstallation.on(first).stream()
                .filter(found -> found.flavour() == flavour)
                .findFirst()
                .orElseThrow();
        String hosts = target.nodes().stream()
                .map(LaunchNode::address)
                .map(address -> address + ":1")
                .collect(Collectors.joining(","));
        int size = target.nodes().size();
        Command plain = Command.of(
                mpi.mpirun(), mpi.isOpenMpi() ? "--host" : "-hosts", hosts, "-n", Integer.toString(size), "hostname");
        MpiJob job = MpiJob.of("hostname").ranksPerNode(1).installation(mpi);

        Map<String, Supplier<Launch>> ways = new LinkedHashMap<>();
        ways.put(PLAIN, () -> plain(first, plain, size));
        ways.put("library, ssh", () -> byLibrary(job.launchOverSsh(), target, size));
        ways.put("library, sessions", () -> byLibrary(job.launchOverSessions(), target, size));
        Map<String, List<Launch>> launches = new LinkedHashMap<>();
        for (int round = -before; round < rounds; round++) {
            for (Map.Entry<String, Supplier<Launch>> way : ways.entrySet()) {
                Launch launch = way.getValue().get();
                if (round >= 0) {
                    launches.computeIfAbsent(way.getKey(), key -> new ArrayList<>())
                            .add(launch);
                }
            }
        }
        System.out.printf("%s, %d nodes, %d rounds after %d, milliseconds%n", mpi, size, rounds, before);
        print("until the last rank's line", launches, Launch::started);
        print("the whole call", launches, Launch::whole);
    }

    /** Milliseconds from the call until the line of the last rank, and until the call's end. */
    private record Launch(double started, double whole) {}

    private static void print(String what, Map<String, List<Launch>> launches, ToDoubleFunction<Launch> time) {
        System.out.printf(
                "%-28s %8s %8s %8s %12s %12s%n", what, "lower", "median", "upper", "beyond plain", "mpirun/this");
        double[] plain = times(launches.get(PLAIN), time);
        launches.forEach((name, all) -> {
            double[] times = times(all, time);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.0f %8.0f %8.0f %12.0f %11.2fx%n",
                    name,
                    quartile(times, 1),
                    quartile(times, 2),
                    quartile(times, 3),
                    quartile(beyond(plain, times), 2),
                    quartile(plain, 2) / quartile(times, 2));
        });
    }

    private static double[] times(List<Launch> launches, ToDoubleFunction<Launch> time) {
        return launches.stream().mapToDouble(time).toArray();
    }

    /** By how much each took longer than plain mpirun in the same round. */
    private static double[] beyond(double[] plain, double[] times) {
        return IntStream.range(0, times.length)
                .mapToDouble(round -> times[round] - plain[round])
                .toArray();
    }

    private static Launch byLibrary(MpiJob job, JobTarget target, int size) {
        AtomicLong last = new AtomicLong();
        long start = System.nanoTime();
        JobResult result = job.on(target)
                .onOutput(line -> last.set(System.nanoTime()))
                .run(LIMIT)
                .orThrow();
        long end = System.nanoTime();
        if (result.outputTail().size() != size || !result.clean()) {
            throw new IllegalStateException("not every node answered, or something was left: " + result);
        }
        return new Launch((last.get() - start) / 1e6, (end - start) / 1e6);
    }

    private static Launch plain(NodeSession first, Command mpirun, int size) {
        AtomicLong last = new AtomicLong();
        AtomicInteger lines = new AtomicInteger();
        long start = System.nanoTime();
        try (RunningCommand running = first.start(mpirun, (stream, bytes, length) -> {
            last.set(System.nanoTime());
            // Open MPI warns on standard error about a process group at times.
            for (int i = 0; i < length && stream == Stream.STDOUT; i++) {
                lines.addAndGet(bytes[i] == '\n' ? 1 : 0);
            }
        })) {
            running.await(LIMIT).orElseThrow();
        }
        long end = System.nanoTime();
        if (lines.get() != size) {
            throw new IllegalStateException("not every node answered: " + lines.get() + " lines");
        }
        return new Launch((last.get() - start) / 1e6, (end - start) / 1e6);
    }

    /** A quartile of some values; none for no values. */
    static double quartile(double[] values, int quarter) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) * quarter / 4];
    }
}
