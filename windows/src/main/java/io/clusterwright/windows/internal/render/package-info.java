/** The files of a cluster that this module knows how to write. */
@NullMarked
package io.clusterwright.windows.internal.render;

import org.jspecify.annotations.NullMarked;
