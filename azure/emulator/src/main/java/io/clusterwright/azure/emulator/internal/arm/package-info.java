/** The core of the emulated Resource Manager: ids, resources, operations, faults, time. */
@NullMarked
package io.clusterwright.azure.emulator.internal.arm;

import org.jspecify.annotations.NullMarked;
