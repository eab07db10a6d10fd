/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.state;

import org.jspecify.annotations.NullMarked;
