/** What local nodes report. */
@NullMarked
package io.clusterwright.linux.internal.rules;

import org.jspecify.annotations.NullMarked;
