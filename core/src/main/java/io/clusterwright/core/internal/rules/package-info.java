/** The rules of this module, by what they are about. */
@NullMarked
package io.clusterwright.core.internal.rules;

import org.jspecify.annotations.NullMarked;
