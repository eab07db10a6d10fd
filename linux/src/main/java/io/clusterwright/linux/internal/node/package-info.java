/** A node during customisation: its commands, files and paths. */
@NullMarked
package io.clusterwright.linux.internal.node;

import org.jspecify.annotations.NullMarked;
