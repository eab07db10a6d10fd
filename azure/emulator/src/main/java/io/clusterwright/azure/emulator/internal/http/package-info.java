/** The server of the emulated Resource Manager: routes, throttling, links to operations. */
@NullMarked
package io.clusterwright.azure.emulator.internal.http;

import org.jspecify.annotations.NullMarked;
