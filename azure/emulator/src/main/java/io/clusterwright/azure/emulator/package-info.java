/**
 * An emulated Azure Resource Manager.
 *
 * <p>Start with {@link ArmEmulator} in tests of code that calls Azure. {@link BatchEmulator} serves Azure Batch, and {@link
 * Fault} makes requests fail.
 */
@NullMarked
package io.clusterwright.azure.emulator;

import org.jspecify.annotations.NullMarked;
