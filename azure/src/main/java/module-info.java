/** Clusters on Azure. */
module io.clusterwright.azure {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires org.slf4j;
    requires static org.jspecify;
}
