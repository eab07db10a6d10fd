/** A JUnit extension that gives a test a cluster of local Linux nodes. */
module io.clusterwright.linux.junit {
    requires transitive io.clusterwright.linux;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;
}
