/**
 * Clusters, their nodes, commands on nodes, and events. Start at {@link io.clusterwright.core.ClusterManager}: it creates, lists, resizes
 * and destroys clusters.
 */
@NullMarked
package io.clusterwright.core;

import org.jspecify.annotations.NullMarked;
