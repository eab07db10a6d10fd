/** The steps of the scenarios of HPC Pack. */
@NullMarked
package io.clusterwright.windows.internal.plan;

import org.jspecify.annotations.NullMarked;
