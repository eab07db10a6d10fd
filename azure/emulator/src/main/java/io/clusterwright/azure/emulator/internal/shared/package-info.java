/** One emulator for several processes: who runs it, who uses it, and what it made. */
@NullMarked
package io.clusterwright.azure.emulator.internal.shared;

import org.jspecify.annotations.NullMarked;
