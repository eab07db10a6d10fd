/** One emulator for several processes: its server, its users, and the resources it creates. */
@NullMarked
package io.clusterwright.azure.emulator.internal.shared;

import org.jspecify.annotations.NullMarked;
