/** The front door: clusters, their nodes, commands on nodes, and events. */
@NullMarked
package io.clusterwright.core;

import org.jspecify.annotations.NullMarked;
