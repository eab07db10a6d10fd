/** The Instance Metadata Service as a node sees it. */
@NullMarked
package io.clusterwright.azure.internal.metadata;

import org.jspecify.annotations.NullMarked;
