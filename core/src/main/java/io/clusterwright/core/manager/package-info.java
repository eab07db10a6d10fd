/** Creates, finds and destroys clusters. */
@NullMarked
package io.clusterwright.core.manager;

import org.jspecify.annotations.NullMarked;
