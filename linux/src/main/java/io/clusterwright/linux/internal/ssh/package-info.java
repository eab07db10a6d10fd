/** Sessions to nodes over SSH. */
@NullMarked
package io.clusterwright.linux.internal.ssh;

import org.jspecify.annotations.NullMarked;
