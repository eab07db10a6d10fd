/**
 * Parsers of benchmark output, reports, envelopes, plots, and the diagnosis of failures.
 *
 * <p>Start with {@link Benchmarks}, which recognises and reads the output of a benchmark. {@link LatencyEnvelope}
 * judges it.
 */
@NullMarked
package io.clusterwright.mpi.bench;

import org.jspecify.annotations.NullMarked;
