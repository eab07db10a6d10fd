/** What is done to Windows machines, as scripts. */
@NullMarked
package io.clusterwright.windows.internal.backend;

import org.jspecify.annotations.NullMarked;
