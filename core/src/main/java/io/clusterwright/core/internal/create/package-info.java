/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.create;

import org.jspecify.annotations.NullMarked;
