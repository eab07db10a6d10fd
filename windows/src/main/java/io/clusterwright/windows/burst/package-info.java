/** Bursting: a head node of HPC Pack adds worker roles of Azure as nodes. */
@NullMarked
package io.clusterwright.windows.burst;

import org.jspecify.annotations.NullMarked;
