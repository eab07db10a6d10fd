/** What every resource of the emulated Resource Manager has in common. */
@NullMarked
package io.clusterwright.azure.emulator.internal.arm;

import org.jspecify.annotations.NullMarked;
