/** A JUnit extension that gives a test a cluster of local Linux nodes. */
@NullMarked
package io.clusterwright.linux.junit;

import org.jspecify.annotations.NullMarked;
