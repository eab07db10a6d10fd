/** Files that this module adds to those of a description. */
@NullMarked
package io.clusterwright.azure.internal.render;

import org.jspecify.annotations.NullMarked;

