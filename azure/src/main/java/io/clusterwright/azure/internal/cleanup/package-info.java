/** Deletion of the resources of a cluster, and the search for orphans. */
@NullMarked
package io.clusterwright.azure.internal.cleanup;

import org.jspecify.annotations.NullMarked;
