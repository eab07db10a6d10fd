package io.clusterwright.examples;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import java.nio.file.Path;
import java.time.Duration;

/** The first lines of code of the README: create a cluster, run an MPI job on it, destroy it. */
public final class FirstLines {
    private FirstLines() {}

    /** Runs them on the spec named by the first argument, or on the article's. */
    public static void main(String[] arguments) {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "examples/specs/linux-article.yaml");

        // README begins
        ClusterSpec spec = SpecReader.read(file);

        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            Plan plan = manager.plan(spec); // touches nothing; plan.findings() say what is in the way
            try (Cluster cluster = manager.create(plan)) {
                JobResult result = MpiJob.of("hostname")
                        .ranksPerNode(1)
                        .on(JobTarget.of(cluster))
                        .onOutput(line -> System.out.println(line.text()))
                        .run(Duration.ofMinutes(1));
                System.out.println(result.succeeded());
            } finally {
                manager.destroy(spec.name()); // says what is left: nothing
            }
        }
        // README ends
    }
}
