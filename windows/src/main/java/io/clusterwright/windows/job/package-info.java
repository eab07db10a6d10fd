/**
 * Jobs of Microsoft HPC Pack: the command lines of {@code job}, {@code mpiexec}, {@code mpipingpong} and their neighbours, the files
 * that describe a job, and what the commands print.
 *
 * <p>Everything but {@link io.clusterwright.windows.job.JobClient} is pure: values in, arguments or text out.
 */
@NullMarked
package io.clusterwright.windows.job;

import org.jspecify.annotations.NullMarked;
