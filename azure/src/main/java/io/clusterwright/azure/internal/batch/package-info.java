/** Requests of Azure Batch. */
@NullMarked
package io.clusterwright.azure.internal.batch;

import org.jspecify.annotations.NullMarked;
