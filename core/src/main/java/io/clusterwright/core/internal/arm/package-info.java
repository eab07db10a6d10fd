/** A model of Azure resources: JSON of values or of template expressions, without the SDK. */
@NullMarked
package io.clusterwright.core.internal.arm;

import org.jspecify.annotations.NullMarked;
