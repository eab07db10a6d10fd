package io.clusterwright.examples.benchmark;

/**
 * One line of the table.
 *
 * @param group the benchmark that measured it
 * @param what what was measured, with its size
 * @param ours the library or the program
 * @param peer what it is compared with; without values where there is nothing, or it is not installed
 * @param goal what is to be reached
 */
record Row(String group, String what, Series ours, Series peer, Goal goal) {
    static final Series NO_PEER = Series.of("", "");

    String result() {
        return goal.result(ours, peer);
    }

    String met() {
        return goal.met(ours, peer);
    }
}
