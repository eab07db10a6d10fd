/**
 * Clusters on Azure.
 *
 * <p>Start with {@link AzureMachines} for a {@code ClusterManager}, and with {@link AzureBatch} for pools of Azure Batch. Both
 * create billed resources.
 */
@NullMarked
package io.clusterwright.azure;

import org.jspecify.annotations.NullMarked;
