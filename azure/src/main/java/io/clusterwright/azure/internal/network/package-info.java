/** Networks, public addresses and load balancers, and the endpoints of nodes. */
@NullMarked
package io.clusterwright.azure.internal.network;

import org.jspecify.annotations.NullMarked;
