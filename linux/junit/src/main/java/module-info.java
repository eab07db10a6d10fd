import org.jspecify.annotations.NullMarked;

/** A JUnit extension that gives a test a cluster of local Linux nodes. */
@NullMarked
module io.clusterwright.linux.junit {
    requires transitive io.clusterwright.linux;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.clusterwright.linux.junit;

    opens io.clusterwright.linux.junit to
            org.junit.platform.commons;
}
