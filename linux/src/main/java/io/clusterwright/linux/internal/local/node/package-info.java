/** A local node: its first files, its process and its record. */
@NullMarked
package io.clusterwright.linux.internal.local.node;

import org.jspecify.annotations.NullMarked;
