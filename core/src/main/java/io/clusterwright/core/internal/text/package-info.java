/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.text;

import org.jspecify.annotations.NullMarked;
