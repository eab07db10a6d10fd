/** Images and extensions of Windows nodes. */
@NullMarked
package io.clusterwright.windows;

import org.jspecify.annotations.NullMarked;
