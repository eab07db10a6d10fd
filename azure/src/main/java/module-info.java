import org.jspecify.annotations.NullMarked;

/** Clusters on Azure. Start with {@link io.clusterwright.azure.AzureMachines}. */
@NullMarked
module io.clusterwright.azure {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires transitive com.azure.core;
    requires transitive com.azure.core.management;
    requires transitive com.azure.resourcemanager.compute;
    requires transitive com.azure.resourcemanager.network;
    requires transitive com.azure.resourcemanager.resources;
    requires com.azure.json;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires static com.azure.resourcemanager;
    requires static org.jspecify;

    exports io.clusterwright.azure;

    uses io.clusterwright.core.spi.NodeBackend;

    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.azure.internal.template.AzureRenderer;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.azure.internal.inspect.AzureFindings;
}
