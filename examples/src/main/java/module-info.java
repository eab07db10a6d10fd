/** The command-line program and one small program per audience. */
module io.clusterwright.examples {
    requires info.picocli;
    requires io.clusterwright.azure;
    requires io.clusterwright.core;
    requires io.clusterwright.linux;
    requires io.clusterwright.mpi;
    requires io.clusterwright.windows;
    requires org.slf4j;
    requires static org.jspecify;
}
