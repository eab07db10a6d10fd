package org.example.clusters;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.Planner;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;

/** Runs {@code uptime} on the local cluster of a spec, or prints the mistakes of the spec. */
public final class ClusterTool {
    public static void main(String[] arguments) {
        ClusterSpec spec = SpecReader.read(Path.of(arguments[0]));
        Planner.check(spec, "local").forEach(System.out::println);
        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create());
                TemporaryCluster temporary = clusters.createTemporary(spec)) {
            System.out.println(
                    temporary.cluster().run(Command.of("uptime")).orThrow().groupedByOutput());
        }
    }
}
