/** Nodes as instances of one scale set: its creation, the identities of its instances, its power. */
@NullMarked
package io.clusterwright.azure.internal.scaleset;

import org.jspecify.annotations.NullMarked;
