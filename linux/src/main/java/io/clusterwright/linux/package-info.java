/**
 * The files a Linux node needs, as pure functions from values to text, and editors that bring an existing file into
 * line: twice edited is as once edited, and foreign lines stay as they are.
 */
@NullMarked
package io.clusterwright.linux;

import org.jspecify.annotations.NullMarked;

