/** The REST interface of each generation, and its server. */
@NullMarked
package io.clusterwright.windows.emulator.internal.api;

import org.jspecify.annotations.NullMarked;
