import org.jspecify.annotations.NullMarked;

/** MPI jobs, benchmarks, checks of the network between nodes, and presets. Start with {@link io.clusterwright.mpi.MpiJob}. */
@NullMarked
module io.clusterwright.mpi {
    requires transitive io.clusterwright.core;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires java.xml;
    requires org.jnrproject.ffi;
    requires org.slf4j;
    requires org.yaml.snakeyaml;
    requires static org.jspecify;

    // jnr-ffi has no descriptor that could ask for it.
    requires org.objectweb.asm;

    exports io.clusterwright.mpi;
    exports io.clusterwright.mpi.bench;
    exports io.clusterwright.mpi.check;
    exports io.clusterwright.mpi.fabric;
    exports io.clusterwright.mpi.job;
    exports io.clusterwright.mpi.preset;
    exports io.clusterwright.mpi.spi;

    uses io.clusterwright.mpi.spi.Launcher;
    uses io.clusterwright.mpi.spi.SchedulerSource;

    provides io.clusterwright.mpi.spi.Launcher with
            io.clusterwright.mpi.internal.launch.HydraLauncher,
            io.clusterwright.mpi.internal.launch.OpenMpiLauncher,
            io.clusterwright.mpi.internal.launch.MpirunRshLauncher;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.mpi.internal.rules.MpiRules;
    provides io.clusterwright.core.spi.ClusterCheck with
            io.clusterwright.mpi.internal.verify.ClusterChecks.OfHostnames,
            io.clusterwright.mpi.internal.verify.ClusterChecks.OfInterfaces,
            io.clusterwright.mpi.internal.verify.ClusterChecks.OfMemlock,
            io.clusterwright.mpi.internal.verify.ClusterChecks.OfSlurm,
            io.clusterwright.mpi.internal.verify.ClusterChecks.OfFabric;
    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.mpi.internal.render.MpiRenderer;
}
