import org.jspecify.annotations.NullMarked;

/** The HTTP server that the emulators share. */
@NullMarked
module io.clusterwright.emulator {
    requires io.clusterwright.core;
    requires com.fasterxml.jackson.databind;
    requires jdk.httpserver;
    requires static org.jspecify;

    exports io.clusterwright.emulator.internal.http to
            io.clusterwright.azure.emulator,
            io.clusterwright.windows.emulator;
}
