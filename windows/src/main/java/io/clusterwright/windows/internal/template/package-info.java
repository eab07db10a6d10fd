/** The Resource Manager template of HPC Pack. Not part of the API. */
@NullMarked
package io.clusterwright.windows.internal.template;

import org.jspecify.annotations.NullMarked;
