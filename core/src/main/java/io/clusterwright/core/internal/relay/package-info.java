/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.relay;

import org.jspecify.annotations.NullMarked;
