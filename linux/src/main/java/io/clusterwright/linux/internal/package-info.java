/** Not part of the API. */
@NullMarked
package io.clusterwright.linux.internal;

import org.jspecify.annotations.NullMarked;
