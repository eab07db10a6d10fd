/** Windows nodes and Microsoft HPC Pack. */
module io.clusterwright.windows {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires com.fasterxml.jackson.databind;
    requires java.xml;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.windows.iaas;
    exports io.clusterwright.windows.quoting;
}
