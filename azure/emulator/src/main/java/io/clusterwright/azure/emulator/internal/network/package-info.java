/** The emulated Microsoft.Network. */
@NullMarked
package io.clusterwright.azure.emulator.internal.network;

import org.jspecify.annotations.NullMarked;
