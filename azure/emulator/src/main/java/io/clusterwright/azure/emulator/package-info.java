/** An emulated Azure Resource Manager. */
@NullMarked
package io.clusterwright.azure.emulator;

import org.jspecify.annotations.NullMarked;
