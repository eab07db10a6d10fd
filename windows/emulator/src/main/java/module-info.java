import org.jspecify.annotations.NullMarked;

/** A head node of HPC Pack, on this machine. */
@NullMarked
module io.clusterwright.windows.emulator {
    requires transitive io.clusterwright.core;
    requires transitive io.clusterwright.mpi;
    requires io.clusterwright.emulator;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires java.xml;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.windows.emulator;
}
