/** The immutable description of a cluster, its builders, and its YAML and JSON forms. */
@NullMarked
package io.clusterwright.core.spec;

import org.jspecify.annotations.NullMarked;
