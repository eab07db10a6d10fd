/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.concurrent;

import org.jspecify.annotations.NullMarked;
