/** The emulated Microsoft.Compute. */
@NullMarked
package io.clusterwright.azure.emulator.internal.compute;

import org.jspecify.annotations.NullMarked;
