/** This machine: its programs, processes, mounts and files. */
@NullMarked
package io.clusterwright.linux.internal.local.host;

import org.jspecify.annotations.NullMarked;
