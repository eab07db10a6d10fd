/** A head node of HPC Pack, on this machine. */
@NullMarked
package io.clusterwright.windows.emulator;

import org.jspecify.annotations.NullMarked;
