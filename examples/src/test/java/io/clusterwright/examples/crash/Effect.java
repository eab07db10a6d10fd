package io.clusterwright.examples.crash;

/**
 * A change that an operation makes outside of its own memory.
 *
 * @param kind where it is made
 * @param what the request, the journal's entry, the name of the secret or the step on a node
 */
record Effect(Kind kind, String what) {
    /** Where effects are made. */
    enum Kind {
        /** A request of Resource Manager that is no GET. */
        AZURE,
        /** An entry of the journal. */
        JOURNAL,
        /** A secret that is written, such as a key. */
        SECRET,
        /** The deletion of the record. */
        FORGET,
        /** A step on a node. */
        NODE
    }

    @Override
    public String toString() {
        return kind + " " + what;
    }
}
