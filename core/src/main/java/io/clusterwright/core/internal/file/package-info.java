/** Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.file;

import org.jspecify.annotations.NullMarked;
