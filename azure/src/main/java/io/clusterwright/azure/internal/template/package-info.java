/** Clusters as templates, for people who deploy with tools of their own. */
@NullMarked
package io.clusterwright.azure.internal.template;

import org.jspecify.annotations.NullMarked;

