/** The rules of the scenarios of HPC Pack. */
@NullMarked
package io.clusterwright.windows.internal.rules;

import org.jspecify.annotations.NullMarked;
