/**
 * Facts about VM sizes, images and extensions, as data: each row names its source.
 *
 * <p>Start with {@link VmSizes#standard()} for sizes and {@link Images#standard()} for images. Further rows can be read from CSV.
 */
@NullMarked
package io.clusterwright.core.catalog;

import org.jspecify.annotations.NullMarked;
