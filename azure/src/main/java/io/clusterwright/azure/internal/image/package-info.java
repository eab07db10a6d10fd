/** Images: of the marketplace, captured, and in galleries. */
@NullMarked
package io.clusterwright.azure.internal.image;

import org.jspecify.annotations.NullMarked;
