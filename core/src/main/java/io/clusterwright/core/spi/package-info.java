/** What other modules implement: machine providers, node backends, rule sets, renderers, stores. */
@NullMarked
package io.clusterwright.core.spi;

import org.jspecify.annotations.NullMarked;
