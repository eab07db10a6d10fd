/** Validated values of which descriptions are made, and the root of all exceptions of this library. */
@NullMarked
package io.clusterwright.core.type;

import org.jspecify.annotations.NullMarked;
