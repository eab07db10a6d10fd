package io.clusterwright.examples.benchmark;

import java.io.IOException;

/** Measurements that have their machines in common. */
interface Group {
    /** Measures, and adds a row for each result. Removes everything it made, on every path. */
    void measure(Settings settings, Report report) throws IOException, InterruptedException;
}
