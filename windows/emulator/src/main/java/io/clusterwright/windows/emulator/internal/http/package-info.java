/** Requests and answers of the head node. */
@NullMarked
package io.clusterwright.windows.emulator.internal.http;

import org.jspecify.annotations.NullMarked;
