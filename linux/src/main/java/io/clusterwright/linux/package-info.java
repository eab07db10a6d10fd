/**
 * The files a Linux node needs, as pure functions from values to text, and editors of existing files: a second
 * edit changes nothing, and foreign lines stay as they are. Sessions to hosts that exist already: {@link Hosts}.
 */
@NullMarked
package io.clusterwright.linux;

import org.jspecify.annotations.NullMarked;
