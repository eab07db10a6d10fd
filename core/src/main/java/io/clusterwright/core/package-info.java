/**
 * Clusters, their nodes, commands on nodes, and events.
 *
 * <p>Start with {@link ClusterManager} to plan, create, use and destroy clusters. {@link Planner} makes plans without a provider,
 * and {@link Cluster} runs commands and copies files.
 */
@NullMarked
package io.clusterwright.core;

import org.jspecify.annotations.NullMarked;
