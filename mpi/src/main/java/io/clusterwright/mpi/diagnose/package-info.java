/** Known failure texts, what they mean and what to do. */
@NullMarked
package io.clusterwright.mpi.diagnose;

import org.jspecify.annotations.NullMarked;
