import org.jspecify.annotations.NullMarked;

/** A JUnit extension that gives a test an emulated Azure. */
@NullMarked
module io.clusterwright.azure.emulator.junit {
    requires transitive io.clusterwright.azure;
    requires transitive io.clusterwright.azure.emulator;
    requires io.clusterwright.linux;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires static org.jspecify;

    exports io.clusterwright.azure.emulator.junit;

    opens io.clusterwright.azure.emulator.junit to
            org.junit.platform.commons;
}
