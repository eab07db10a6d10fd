/** Windows nodes and Microsoft HPC Pack. */
module io.clusterwright.windows {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires java.net.http;
    requires java.xml;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.windows.rest;
}
