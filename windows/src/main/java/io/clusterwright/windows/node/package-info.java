/** Windows machines as nodes of a cluster, reached without a network way to them. */
@NullMarked
package io.clusterwright.windows.node;

import org.jspecify.annotations.NullMarked;

