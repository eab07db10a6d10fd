/** Slurm on the nodes of a cluster. */
@NullMarked
package io.clusterwright.linux.internal.slurm;

import org.jspecify.annotations.NullMarked;
