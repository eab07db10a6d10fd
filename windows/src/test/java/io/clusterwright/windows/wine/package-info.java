/** Runs Windows programs, built here, in the tests. */
@NullMarked
package io.clusterwright.windows.wine;

import org.jspecify.annotations.NullMarked;
