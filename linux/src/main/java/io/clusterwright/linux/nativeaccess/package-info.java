/**
 * What this machine's kernel really allows and has: limits, locked memory, RDMA devices, capabilities.
 *
 * <p>Linux only; elsewhere, and where a library or a part of the kernel is absent, each call answers
 * {@link io.clusterwright.linux.nativeaccess.NativeAnswer.Unknown} with the reason.
 */
@NullMarked
package io.clusterwright.linux.nativeaccess;

import org.jspecify.annotations.NullMarked;
