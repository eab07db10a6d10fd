/** The check of the network between nodes: pairs, envelopes, slow nodes, and the report. */
@NullMarked
package io.clusterwright.mpi.fabric;

import org.jspecify.annotations.NullMarked;
