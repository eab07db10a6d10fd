/** Deployments of templates: the template language, and the resources in the order in which they depend on each other. */
@NullMarked
package io.clusterwright.azure.emulator.internal.deployments;

import org.jspecify.annotations.NullMarked;
