/** What each generation of the REST interface says. */
@NullMarked
package io.clusterwright.windows.emulator.internal.api;

import org.jspecify.annotations.NullMarked;
