/** Nodes as separate virtual machines, and the extensions of machines. */
@NullMarked
package io.clusterwright.azure.internal.machine;

import org.jspecify.annotations.NullMarked;
