/** Clusters as templates, for people who deploy with tools of their own. */
@NullMarked
package io.clusterwright.azure.template;

import org.jspecify.annotations.NullMarked;
