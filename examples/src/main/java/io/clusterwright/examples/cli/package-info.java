/** The {@code clusterwright} program. */
@NullMarked
package io.clusterwright.examples.cli;

import org.jspecify.annotations.NullMarked;
