/** Command lines of Windows, and what they become on real nodes. */
@NullMarked
package io.clusterwright.windows.emulator.internal.task;

import org.jspecify.annotations.NullMarked;
