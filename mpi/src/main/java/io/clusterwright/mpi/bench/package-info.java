/** Parsers of MPI benchmarks, and their reports and plots. */
@NullMarked
package io.clusterwright.mpi.bench;

import org.jspecify.annotations.NullMarked;
