/** The description of a cluster, its plan and its lifecycle. */
module io.clusterwright.core {
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.csv;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.slf4j;
    requires org.yaml.snakeyaml;
    requires static jdk.httpserver;
    requires static org.jspecify;

    exports io.clusterwright.core;
    exports io.clusterwright.core.catalog;
    exports io.clusterwright.core.plan;
    exports io.clusterwright.core.spec;
    exports io.clusterwright.core.spi;
    exports io.clusterwright.core.type;

    // The kernel that our modules share and users do not see.
    exports io.clusterwright.core.internal.arm to
            io.clusterwright.windows,
            io.clusterwright.azure;
    exports io.clusterwright.core.internal.concurrent to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.file to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.finding to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.http to
            io.clusterwright.windows.emulator,
            io.clusterwright.azure.emulator;
    exports io.clusterwright.core.internal.json to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.relay to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.session to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;
    exports io.clusterwright.core.internal.text to
            io.clusterwright.linux,
            io.clusterwright.linux.junit,
            io.clusterwright.mpi,
            io.clusterwright.windows,
            io.clusterwright.windows.emulator,
            io.clusterwright.azure,
            io.clusterwright.azure.emulator,
            io.clusterwright.azure.emulator.junit,
            io.clusterwright.examples;

    uses io.clusterwright.core.spi.ClusterCheck;
    uses io.clusterwright.core.spi.NodeBackend;
    uses io.clusterwright.core.spi.Renderer;
    uses io.clusterwright.core.spi.RuleSet;
    uses io.clusterwright.core.spi.StepSource;
}
