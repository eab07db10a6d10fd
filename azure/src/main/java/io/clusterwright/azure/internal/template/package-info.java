/** Clusters as templates, for people who deploy with other tools. */
@NullMarked
package io.clusterwright.azure.internal.template;

import org.jspecify.annotations.NullMarked;
