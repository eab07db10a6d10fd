/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.planning;

import org.jspecify.annotations.NullMarked;
