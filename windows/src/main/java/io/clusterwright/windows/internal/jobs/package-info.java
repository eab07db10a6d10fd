/** Commands of HPC Pack's scheduler and of MS-MPI. */
@NullMarked
package io.clusterwright.windows.internal.jobs;

import org.jspecify.annotations.NullMarked;
