/** Reads and writes small XML files without losing what is not understood. */
@NullMarked
package io.clusterwright.windows.internal.xml;

import org.jspecify.annotations.NullMarked;
