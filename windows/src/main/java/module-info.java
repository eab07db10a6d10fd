import org.jspecify.annotations.NullMarked;

/** Windows nodes and Microsoft HPC Pack. Start with {@link io.clusterwright.windows.hpcpack.HpcPackClient}. */
@NullMarked
module io.clusterwright.windows {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires java.xml;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.windows;
    exports io.clusterwright.windows.deploy;
    exports io.clusterwright.windows.hpcpack;

    // What the classic deployment shares and users do not see.
    exports io.clusterwright.windows.internal.jobs to
            io.clusterwright.windows.classic;
    exports io.clusterwright.windows.internal.pingpong to
            io.clusterwright.windows.classic;
    exports io.clusterwright.windows.internal.powershell to
            io.clusterwright.windows.classic;
    exports io.clusterwright.windows.internal.quoting to
            io.clusterwright.windows.classic;
    exports io.clusterwright.windows.internal.rules to
            io.clusterwright.windows.classic;
    exports io.clusterwright.windows.internal.xml to
            io.clusterwright.windows.classic;

    provides io.clusterwright.core.spi.NodeBackend with
            io.clusterwright.windows.internal.backend.WindowsBackend;
    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.windows.internal.render.TemplateScenario,
            io.clusterwright.windows.internal.render.WindowsJobRenderer;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.windows.internal.rules.ScenarioRules,
            io.clusterwright.windows.internal.rules.JobRules,
            io.clusterwright.windows.internal.rules.WindowsMachineRules;
    provides io.clusterwright.core.spi.StepSource with
            io.clusterwright.windows.internal.render.TemplateScenario;
    provides io.clusterwright.mpi.spi.Launcher with
            io.clusterwright.windows.internal.jobs.HpcPackLauncher;
    provides io.clusterwright.mpi.spi.SchedulerSource with
            io.clusterwright.windows.internal.jobs.HpcPackSource;
}
