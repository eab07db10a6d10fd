/**
 * The check of the network between nodes: pairs, envelopes, slow nodes, and the report.
 *
 * <p>Start with {@link FabricCheck}, which measures the pairs and returns a {@link FabricReport}.
 */
@NullMarked
package io.clusterwright.mpi.fabric;

import org.jspecify.annotations.NullMarked;
