/** Windows nodes and Microsoft HPC Pack. */
module io.clusterwright.windows {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires java.xml;
    requires org.jnrproject.ffi;
    // jnr-ffi has no descriptor that could ask for it.
    requires org.objectweb.asm;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.windows.burst;
    exports io.clusterwright.windows.iaas;
    exports io.clusterwright.windows.image;
    exports io.clusterwright.windows.job;
    exports io.clusterwright.windows.launch;
    exports io.clusterwright.windows.nativeaccess;
    exports io.clusterwright.windows.node;
    exports io.clusterwright.windows.quoting;
    exports io.clusterwright.windows.resourcemanager;
    exports io.clusterwright.windows.rest;

    provides io.clusterwright.core.spi.NodeBackend with
            io.clusterwright.windows.node.WindowsBackend;
    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.windows.internal.render.ScenarioRenderer,
            io.clusterwright.windows.internal.render.WindowsJobRenderer;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.windows.internal.rules.ScenarioRules,
            io.clusterwright.windows.internal.rules.JobRules,
            io.clusterwright.windows.internal.rules.MachineRules;
    provides io.clusterwright.core.spi.StepSource with
            io.clusterwright.windows.internal.plan.ScenarioSteps;
    provides io.clusterwright.mpi.Launcher with
            io.clusterwright.windows.launch.HpcPackLauncher;
}
