/** Package managers of the distributions. */
@NullMarked
package io.clusterwright.linux.internal.packages;

import org.jspecify.annotations.NullMarked;
