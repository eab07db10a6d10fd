/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.finding;

import org.jspecify.annotations.NullMarked;
