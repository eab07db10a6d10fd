import org.jspecify.annotations.NullMarked;

/** The part of Azure Resource Manager that a cluster needs, on this machine. */
@NullMarked
module io.clusterwright.azure.emulator {
    requires transitive io.clusterwright.core;
    requires io.clusterwright.emulator;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.azure.emulator;

    uses io.clusterwright.core.spi.NodeBackend;
}
