/** Names, tags and resources of a cluster. */
@NullMarked
package io.clusterwright.azure.internal.resource;

import org.jspecify.annotations.NullMarked;
