/** Jobs, tasks and nodes. */
@NullMarked
package io.clusterwright.windows.emulator.internal.scheduler;

import org.jspecify.annotations.NullMarked;
