package io.clusterwright.examples.benchmark;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What all benchmarks of a run have in common.
 *
 * @param nodes how many nodes
 * @param rounds at most this many rounds
 * @param limit no round of a comparison starts after this time
 * @param megabytes the size of the file that is copied
 * @param folder for what a benchmark writes; removed at the end
 */
record Settings(int nodes, int rounds, Duration limit, int megabytes, Path folder) {
    /** The folder of the examples, with the start scripts. */
    static Path examples() {
        return Path.of(System.getProperty("clusterwright.examples", "examples")).toAbsolutePath();
    }

    /** Rounds that take at most this part of the limit. */
    Rounds rounds(int percent) {
        return new Rounds(rounds, limit.multipliedBy(percent).dividedBy(100));
    }

    /** With another number of nodes. */
    Settings nodes(int number) {
        return new Settings(number, rounds, limit, megabytes, folder);
    }
}
