/** The script that bursts a head node to Azure. */
@NullMarked
package io.clusterwright.windows.internal.burst;

import org.jspecify.annotations.NullMarked;
