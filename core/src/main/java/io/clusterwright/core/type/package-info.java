/** Small validated values: names, address ranges, sizes, latencies. */
@NullMarked
package io.clusterwright.core.type;

import org.jspecify.annotations.NullMarked;
