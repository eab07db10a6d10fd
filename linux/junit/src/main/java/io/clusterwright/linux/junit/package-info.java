/**
 * A JUnit extension that gives a test a cluster of local Linux nodes.
 *
 * <p>Start with {@link LocalCluster} on a test class. The tests need root and fail without it; the example there
 * skips them.
 */
@NullMarked
package io.clusterwright.linux.junit;

import org.jspecify.annotations.NullMarked;
