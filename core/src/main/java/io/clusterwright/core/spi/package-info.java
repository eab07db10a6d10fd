/**
 * Interfaces for other modules: machine providers, node backends, rule sets, renderers and checks.
 *
 * <p>Start with {@link MachineProvider} for a new cloud, and with {@link RuleSet} for new findings. Users of clusters do not need
 * this package.
 */
@NullMarked
package io.clusterwright.core.spi;

import org.jspecify.annotations.NullMarked;
