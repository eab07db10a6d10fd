/** The quickstart: a whole cluster in one command. */
@NullMarked
package io.clusterwright.examples.quickstart;

import org.jspecify.annotations.NullMarked;
