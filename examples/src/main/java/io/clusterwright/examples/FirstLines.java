package io.clusterwright.examples;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.MpiJob;
import java.nio.file.Path;
import java.time.Duration;

/** The first program of the README: creates a cluster, runs an MPI job on it, and destroys it. */
public final class FirstLines {
    private FirstLines() {}

    /** Runs it on the spec named by the first argument, or on the article's. */
    public static void main(String[] arguments) {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "examples/specs/linux-article.yaml");

        // README begins
        ClusterSpec spec = SpecReader.read(file);

        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create());
                TemporaryCluster temporary = clusters.createTemporary(spec)) { // refuses a plan with errors
            JobResult result = MpiJob.of("hostname")
                    .ranksPerNode(1)
                    .on(temporary.cluster())
                    .onOutput(line -> System.out.println(line.text()))
                    .run(Duration.ofMinutes(1));
            System.out.println(result.succeeded());
        } // destroys the cluster, also when the job fails, and throws when something could not be deleted
        // README ends
    }
}
