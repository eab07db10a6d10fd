/** Facts about VM sizes, as data: each row names its source. */
@NullMarked
package io.clusterwright.core.catalog;

import org.jspecify.annotations.NullMarked;
