/** Layers of the nodes' file systems, and the images kept of them. */
@NullMarked
package io.clusterwright.linux.internal.local.disk;

import org.jspecify.annotations.NullMarked;
