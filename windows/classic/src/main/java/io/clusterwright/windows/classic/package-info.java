/** The configuration of HPC Pack's deployment script for classic machines. */
@NullMarked
package io.clusterwright.windows.classic;

import org.jspecify.annotations.NullMarked;
