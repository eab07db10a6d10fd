package io.clusterwright.examples;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import java.time.Duration;

/** Creates a cluster, runs an MPI job on it, and destroys it. Needs Debian, root and an MPI, such as openmpi-bin. */
public final class FirstLines {
    public static void main(String[] arguments) {
        ClusterSpec spec = ClusterSpec.builder("demo")
                .nodes(nodes -> nodes.count(2))
                .network(network -> network.addressSpace("10.32.0.0/24"))
                .image(image -> image.capture(false)) // nodes start from this system, in seconds
                .build();

        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create());
                TemporaryCluster demo = clusters.createTemporary(spec)) { // refuses a plan with errors
            JobResult result = MpiJob.of("hostname")
                    .ranksPerNode(1)
                    .on(demo.cluster())
                    .onOutput(line -> System.out.println(line.text()))
                    .run(Duration.ofMinutes(1));
            System.out.println(result.succeeded());
        } // destroys the cluster, also when the job fails, and throws when something could not be deleted
    }
}
