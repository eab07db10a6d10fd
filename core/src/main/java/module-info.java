/** The description of a cluster, its plan and its lifecycle. */
module io.clusterwright.core {
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.csv;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.core;
    exports io.clusterwright.core.catalog;
    exports io.clusterwright.core.cluster;
    exports io.clusterwright.core.event;
    exports io.clusterwright.core.manager;
    exports io.clusterwright.core.plan;
    exports io.clusterwright.core.render;
    exports io.clusterwright.core.spec;
    exports io.clusterwright.core.spi;
    exports io.clusterwright.core.type;

    uses io.clusterwright.core.spi.ClusterCheck;
    uses io.clusterwright.core.spi.NodeBackend;
    uses io.clusterwright.core.spi.Renderer;
    uses io.clusterwright.core.spi.RuleSet;
    uses io.clusterwright.core.spi.StepSource;
}
