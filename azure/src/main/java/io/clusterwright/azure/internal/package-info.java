/** What {@link io.clusterwright.azure.AzureMachines} is made of. */
@NullMarked
package io.clusterwright.azure.internal;

import org.jspecify.annotations.NullMarked;
