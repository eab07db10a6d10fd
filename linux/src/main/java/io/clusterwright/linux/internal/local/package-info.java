/** The provider of local machines: its inspection, hosts and shared networks. */
@NullMarked
package io.clusterwright.linux.internal.local;

import org.jspecify.annotations.NullMarked;
