/** Takes requests, finds who answers them, and records both. */
@NullMarked
package io.clusterwright.azure.emulator.internal.http;

import org.jspecify.annotations.NullMarked;
