/** Real Linux nodes on this machine. */
@NullMarked
package io.clusterwright.linux.local;

import org.jspecify.annotations.NullMarked;
