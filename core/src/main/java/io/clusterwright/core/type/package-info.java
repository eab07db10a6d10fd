/**
 * Validated values of specs, and the root of all exceptions of this library.
 *
 * <p>Start with {@link NodeName} and {@link NodeSet} for nodes, {@link Secret} for secrets, and {@link ClusterwrightException} to
 * catch what this library throws.
 */
@NullMarked
package io.clusterwright.core.type;

import org.jspecify.annotations.NullMarked;
