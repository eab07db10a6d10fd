/** Subscriptions, providers, resource groups and deployments. */
@NullMarked
package io.clusterwright.azure.emulator.internal.resources;

import org.jspecify.annotations.NullMarked;
