/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.json;

import org.jspecify.annotations.NullMarked;
