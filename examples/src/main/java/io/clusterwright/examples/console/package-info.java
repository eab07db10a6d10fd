/** Progress and results for people, on standard error and standard output. */
@NullMarked
package io.clusterwright.examples.console;

import org.jspecify.annotations.NullMarked;
