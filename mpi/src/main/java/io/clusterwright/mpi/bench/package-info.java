/** Parsers of benchmark output, reports, envelopes, plots, and the diagnosis of failures. */
@NullMarked
package io.clusterwright.mpi.bench;

import org.jspecify.annotations.NullMarked;
