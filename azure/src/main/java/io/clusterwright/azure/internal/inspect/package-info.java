/** Facts of a subscription and the findings that follow from them. */
@NullMarked
package io.clusterwright.azure.internal.inspect;

import org.jspecify.annotations.NullMarked;
