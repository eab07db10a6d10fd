/** MPI jobs on Azure Batch: pools built from a cluster's description, and jobs as multi-instance tasks. */
@NullMarked
package io.clusterwright.azure.batch;

import org.jspecify.annotations.NullMarked;
