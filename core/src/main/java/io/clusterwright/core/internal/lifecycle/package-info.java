/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
