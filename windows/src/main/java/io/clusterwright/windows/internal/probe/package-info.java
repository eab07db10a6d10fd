/**
 * Calls of Windows itself: network adapters, providers of NetworkDirect.
 *
 * <p>Windows on x86-64 only. Elsewhere each call throws {@link io.clusterwright.core.type.ClusterwrightException}. The
 * offsets in Windows' structures are held against its headers by a program that the tests run under wine.
 */
@NullMarked
package io.clusterwright.windows.internal.probe;

import org.jspecify.annotations.NullMarked;

