/** What is done to a Linux node: updates, packages, users, limits, keys, membership. */
@NullMarked
package io.clusterwright.linux.internal.customize;

import org.jspecify.annotations.NullMarked;
