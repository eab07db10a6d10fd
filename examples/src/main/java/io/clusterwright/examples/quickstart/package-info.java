/** The whole Linux journey in one command. */
@NullMarked
package io.clusterwright.examples.quickstart;

import org.jspecify.annotations.NullMarked;

