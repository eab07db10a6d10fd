/**
 * The immutable spec of a cluster, its builders, and its YAML and JSON forms.
 *
 * <p>Start with {@link ClusterSpec#builder} in code, or with {@link SpecReader} for a file.
 */
@NullMarked
package io.clusterwright.core.spec;

import org.jspecify.annotations.NullMarked;
