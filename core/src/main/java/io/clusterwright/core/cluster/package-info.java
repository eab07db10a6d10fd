/** Creates, resizes and destroys clusters, and runs commands on their nodes. */
@NullMarked
package io.clusterwright.core.cluster;

import org.jspecify.annotations.NullMarked;
