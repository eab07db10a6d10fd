/** Targets and queued jobs, results and values of jobs, and the exceptions that say why a job failed. */
@NullMarked
package io.clusterwright.mpi.job;

import org.jspecify.annotations.NullMarked;
