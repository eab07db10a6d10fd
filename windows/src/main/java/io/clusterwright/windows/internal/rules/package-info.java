/** What is said about a description before anything is made. */
@NullMarked
package io.clusterwright.windows.internal.rules;

import org.jspecify.annotations.NullMarked;
