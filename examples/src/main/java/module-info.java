import org.jspecify.annotations.NullMarked;

/** The command-line program and one small program per audience. */
@NullMarked
module io.clusterwright.examples {
    requires com.azure.core;
    requires com.azure.core.management;
    requires com.azure.identity;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires io.clusterwright.azure;
    requires io.clusterwright.azure.emulator;
    requires io.clusterwright.core;
    requires io.clusterwright.linux;
    requires io.clusterwright.mpi;
    requires io.clusterwright.windows;
    requires io.clusterwright.windows.classic;
    requires io.clusterwright.windows.emulator;
    requires java.net.http;
    requires org.slf4j;
    requires reactor.core;
    requires static org.jspecify;

    opens io.clusterwright.examples.cli to
            info.picocli;
    opens io.clusterwright.examples.quickstart to
            info.picocli;
}
