import org.jspecify.annotations.NullMarked;

/** The deployment of HPC Pack 2012 R2 in Azure's classic model, which is retired: the deployment script, and bursts to worker roles. */
@NullMarked
module io.clusterwright.windows.classic {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.windows;
    requires java.xml;
    requires static org.jspecify;

    exports io.clusterwright.windows.classic;

    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.windows.classic.internal.scenario.ClassicScenarios;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.windows.classic.internal.scenario.ClassicRules;
    provides io.clusterwright.core.spi.StepSource with
            io.clusterwright.windows.classic.internal.scenario.ClassicScenarios;
}
