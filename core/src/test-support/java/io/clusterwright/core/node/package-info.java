/** Programs for Node.js that tests run. */
@org.jspecify.annotations.NullMarked
package io.clusterwright.core.node;
