/**
 * Plans: findings, steps, quota, price, and the files that a spec renders to.
 *
 * <p>Start with {@link Plan}, the result of {@code ClusterManager.plan}. {@link Finding} is one problem with its remedy.
 */
@NullMarked
package io.clusterwright.core.plan;

import org.jspecify.annotations.NullMarked;
