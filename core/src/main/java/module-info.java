import org.jspecify.annotations.NullMarked;

/** The spec of a cluster, its plan and its lifecycle. Start with {@link io.clusterwright.core.ClusterManager}. */
@NullMarked
module io.clusterwright.core {
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.csv;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.slf4j;
    requires org.yaml.snakeyaml;
    requires static org.jspecify;

    exports io.clusterwright.core;
    exports io.clusterwright.core.catalog;
    exports io.clusterwright.core.plan;
    exports io.clusterwright.core.spec;
    exports io.clusterwright.core.spi;
    exports io.clusterwright.core.type;

    // Shared internals: our modules use them, and users do not see them.
    exports io.clusterwright.core.internal.arm to
            io.clusterwright.azure,
            io.clusterwright.windows;
    exports io.clusterwright.core.internal.concurrent to
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.emulator,
            io.clusterwright.examples,
            io.clusterwright.linux,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator;
    exports io.clusterwright.core.internal.file to
            io.clusterwright.azure.emulator,
            io.clusterwright.emulator,
            io.clusterwright.examples,
            io.clusterwright.linux,
            io.clusterwright.mpi;
    exports io.clusterwright.core.internal.json to
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.emulator,
            io.clusterwright.examples,
            io.clusterwright.linux,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator;
    exports io.clusterwright.core.internal.relay to
            io.clusterwright.linux,
            io.clusterwright.windows;
    exports io.clusterwright.core.internal.service to
            io.clusterwright.mpi;
    exports io.clusterwright.core.internal.session to
            io.clusterwright.azure.emulator,
            io.clusterwright.linux,
            io.clusterwright.mpi;
    exports io.clusterwright.core.internal.text to
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.examples,
            io.clusterwright.linux,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.classic;

    uses io.clusterwright.core.spi.ClusterCheck;
    uses io.clusterwright.core.spi.NodeBackend;
    uses io.clusterwright.core.spi.Renderer;
    uses io.clusterwright.core.spi.RuleSet;
    uses io.clusterwright.core.spi.StepSource;
}
