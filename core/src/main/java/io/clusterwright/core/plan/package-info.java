/** Plans: findings, steps, quota, price, and the files that a description renders to. */
@NullMarked
package io.clusterwright.core.plan;

import org.jspecify.annotations.NullMarked;
