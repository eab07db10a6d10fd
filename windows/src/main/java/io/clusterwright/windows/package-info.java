/** Windows nodes and Microsoft HPC Pack. */
@NullMarked
package io.clusterwright.windows;

import org.jspecify.annotations.NullMarked;
