/** Clusters on Azure. */
@NullMarked
package io.clusterwright.azure;

import org.jspecify.annotations.NullMarked;
