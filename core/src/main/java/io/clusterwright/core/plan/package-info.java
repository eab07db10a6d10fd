/** Turns a description and live facts into findings and steps, touching nothing. */
@NullMarked
package io.clusterwright.core.plan;

import org.jspecify.annotations.NullMarked;
