/** Parsers of benchmark output. Not part of the API. */
@NullMarked
package io.clusterwright.mpi.internal.bench;

import org.jspecify.annotations.NullMarked;
