/**
 * A JUnit extension that gives a test a cluster of local Linux nodes.
 *
 * <p>Start with {@link LocalCluster} on a test class. The tests need root or a user with a range of ids; otherwise they fail, or are skipped where
 * the annotation has {@code otherwise = SKIP}.
 */
@NullMarked
package io.clusterwright.linux.junit;

import org.jspecify.annotations.NullMarked;
