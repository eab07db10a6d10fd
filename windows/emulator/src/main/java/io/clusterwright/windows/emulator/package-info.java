/**
 * An emulated head node of HPC Pack on this machine.
 *
 * <p>Start with {@link HpcPackEmulator} in tests of code that calls a head node.
 */
@NullMarked
package io.clusterwright.windows.emulator;

import org.jspecify.annotations.NullMarked;
