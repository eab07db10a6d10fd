/** The emulated Azure that the programs share. */
@NullMarked
package io.clusterwright.examples.emulator;

import org.jspecify.annotations.NullMarked;
