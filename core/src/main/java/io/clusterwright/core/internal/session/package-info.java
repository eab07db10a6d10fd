/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.session;

import org.jspecify.annotations.NullMarked;
