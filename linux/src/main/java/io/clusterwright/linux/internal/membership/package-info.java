/** Identity of a node, and its membership of a cluster. */
@NullMarked
package io.clusterwright.linux.internal.membership;

import org.jspecify.annotations.NullMarked;
