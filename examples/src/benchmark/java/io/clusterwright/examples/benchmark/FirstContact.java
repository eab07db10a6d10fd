package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.local.LocalMachines;
import java.util.Arrays;
import java.util.Locale;

/** The first contact of a new JVM with a cluster: prints the milliseconds of opening it, and of the first command on all nodes. */
final class FirstContact {
    private FirstContact() {}

    public static void main(String[] arguments) {
        if (arguments.length == 1) {
            long start = System.nanoTime();
            try (ClusterManager manager = ClusterManager.on(LocalMachines.create());
                    Cluster cluster = manager.open(ClusterName.of(arguments[0]))) {
                command(start, cluster);
            }
        } else {
            long start = System.nanoTime();
            try (Cluster cluster = FakeNodes.connect(arguments)) {
                command(start, cluster);
            }
        }
    }

    private static void command(long start, Cluster cluster) {
        long opened = System.nanoTime();
        LocalNodes.hostname(cluster);
        System.out.printf(Locale.ROOT, "%.1f %.1f%n", (opened - start) / 1e6, (System.nanoTime() - opened) / 1e6);
    }

    /** Both times, of what it printed. */
    static double[] measured(String printed) {
        return Arrays.stream(printed.strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
