/** Small validated values that the whole library shares: names, addresses, limits, sizes, measures and secrets. */
@NullMarked
package io.clusterwright.core.type;

import org.jspecify.annotations.NullMarked;
