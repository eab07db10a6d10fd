/** Calls of Azure Resource Manager: connections, rate limits, retries, errors. */
@NullMarked
package io.clusterwright.azure.internal.arm;

import org.jspecify.annotations.NullMarked;
