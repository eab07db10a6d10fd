/** Virtual machines as real nodes. */
@NullMarked
package io.clusterwright.azure.emulator.internal.machines;

import org.jspecify.annotations.NullMarked;
