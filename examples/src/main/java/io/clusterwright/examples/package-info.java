/** The command-line program and one small program per audience. */
@NullMarked
package io.clusterwright.examples;

import org.jspecify.annotations.NullMarked;
