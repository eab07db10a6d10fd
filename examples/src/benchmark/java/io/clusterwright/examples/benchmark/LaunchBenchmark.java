package io.clusterwright.examples.benchmark;

import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.LaunchNode;
import io.clusterwright.mpi.LaunchPath;
import io.clusterwright.mpi.LaunchTarget;
import io.clusterwright.mpi.MpiDetector;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.MpiResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * How long {@code hostname} takes on every node of a local cluster, side by side: plain mpirun over one session, the same launcher
 * by the library and its ssh, and over the library's sessions. Needs root, as local nodes do.
 */
public final class LaunchBenchmark {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LaunchBenchmark() {}

    /** Arguments: how many nodes (16), how many rounds (15), after how many that are not measured (1). */
    public static void main(String[] arguments) {
        int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 16;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15;
        int before = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        ClusterSpec spec = SpecReader.read("""
                name: launch-benchmark
                region: westus
                timeToLive: 1h
                nodes: {count: %d, firstIndex: 1, prefix: lb, size: Standard_A9}
                network: {addressSpace: 10.99.0.0/16, subnet: {name: Subnet-1, range: 10.99.0.0/24}}
                """.formatted(nodes), "benchmark.yaml");
        try (ClusterManager manager = ClusterManager.using(new LocalMachines())) {
            try (Cluster cluster = manager.create(manager.plan(spec), event -> {})) {
                measure(LaunchTarget.of(cluster), rounds, before);
            } finally {
                manager.destroy(spec.name(), event -> {});
            }
        }
    }

    private static void measure(LaunchTarget target, int rounds, int before) {
        NodeSession first = target.session(target.nodes().get(0).name());
        MpiInstallation mpi = MpiDetector.detect(first).stream()
                .filter(found -> found.flavour() == MpiFlavour.MPICH)
                .findFirst()
                .orElseThrow();
        String hosts = target.nodes().stream()
                .map(LaunchNode::address)
                .map(address -> address + ":1")
                .collect(Collectors.joining(","));
        int size = target.nodes().size();
        Command plain = Command.of(mpi.mpirun(), "-hosts", hosts, "-n", Integer.toString(size), "hostname");
        MpiJob job = MpiJob.of("hostname").ranksPerNode(1).installation(mpi);

        Map<String, LongSupplier> ways = new LinkedHashMap<>();
        ways.put("plain mpirun", () -> plain(first, plain, size));
        ways.put("library, ssh", () -> byLibrary(job.launchOver(LaunchPath.SSH), target, size));
        ways.put("library, sessions", () -> byLibrary(job.launchOver(LaunchPath.SESSIONS), target, size));
        for (int round = 0; round < before; round++) {
            ways.values().forEach(LongSupplier::getAsLong);
        }

        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            ways.forEach((name, way) -> millis.computeIfAbsent(name, key -> new ArrayList<>())
                    .add(way.getAsLong() / 1e6));
        }
        double reference = quartile(millis.get("plain mpirun"), 2);
        System.out.printf("%s, %d nodes, %d rounds after %d, milliseconds%n", mpi, size, rounds, before);
        System.out.printf("%-20s %8s %8s %8s %14s%n", "", "lower", "median", "upper", "mpirun/this");
        millis.forEach((name, times) -> System.out.printf(
                Locale.ROOT,
                "%-20s %8.0f %8.0f %8.0f %13.2fx%n",
                name,
                quartile(times, 1),
                quartile(times, 2),
                quartile(times, 3),
                reference / quartile(times, 2)));
    }

    private static long byLibrary(MpiJob job, LaunchTarget target, int size) {
        long start = System.nanoTime();
        MpiResult result = job.on(target).run(LIMIT).orThrow();
        long nanos = System.nanoTime() - start;
        if (result.outputTail().size() != size || !result.clean()) {
            throw new IllegalStateException("not every node answered, or something was left: " + result);
        }
        return nanos;
    }

    private static long plain(NodeSession first, Command mpirun, int size) {
        long start = System.nanoTime();
        String output = first.run(mpirun).orThrow().stdout();
        long nanos = System.nanoTime() - start;
        if (output.lines().count() != size) {
            throw new IllegalStateException("not every node answered: " + output);
        }
        return nanos;
    }

    private static double quartile(List<Double> values, int quarter) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) * quarter / 4];
    }
}
