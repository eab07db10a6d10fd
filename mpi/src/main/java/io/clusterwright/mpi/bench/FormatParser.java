package io.clusterwright.mpi.bench;

import io.clusterwright.mpi.internal.output.Line;

/** Reads the tables of one tool out of lines that may hold anything else as well. */
interface FormatParser {

    /** Takes the next line; every parser sees every line. */
    void accept(Line line, Tables tables);
}
