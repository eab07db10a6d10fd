/** MPI presets, launchers, benchmarks and fabric checks. */
module io.clusterwright.mpi {
    requires transitive io.clusterwright.core;
    requires org.slf4j;
    requires static org.jspecify;
}
