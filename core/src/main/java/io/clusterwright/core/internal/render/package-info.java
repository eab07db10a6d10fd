/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.render;

import org.jspecify.annotations.NullMarked;
