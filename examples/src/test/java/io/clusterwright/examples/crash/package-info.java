/** All moments at which an operation can be cut short: each is tried, and afterwards the operation must succeed and nothing may remain. */
@NullMarked
package io.clusterwright.examples.crash;

import org.jspecify.annotations.NullMarked;
