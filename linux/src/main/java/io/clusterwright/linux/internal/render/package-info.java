/** The files of a Linux cluster that this module knows how to write. */
@NullMarked
package io.clusterwright.linux.internal.render;

import org.jspecify.annotations.NullMarked;
