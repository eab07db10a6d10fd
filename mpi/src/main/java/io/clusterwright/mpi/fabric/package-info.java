/** Proves the network between nodes pair by pair: rounds, judgement, outliers, and the report of it. */
@NullMarked
package io.clusterwright.mpi.fabric;

import org.jspecify.annotations.NullMarked;
