/** Bridges, routes and interfaces of local clusters. */
@NullMarked
package io.clusterwright.linux.internal.local.network;

import org.jspecify.annotations.NullMarked;
