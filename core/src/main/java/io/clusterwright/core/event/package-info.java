/** What happens to a cluster, as sealed records. */
@NullMarked
package io.clusterwright.core.event;

import org.jspecify.annotations.NullMarked;
