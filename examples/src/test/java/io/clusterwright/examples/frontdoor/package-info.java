/** The shortest programs of each kind, which use no SPI. */
@NullMarked
package io.clusterwright.examples.frontdoor;

import org.jspecify.annotations.NullMarked;
