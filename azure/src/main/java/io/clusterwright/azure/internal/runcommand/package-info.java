/** Scripts on machines by the action Run Command. */
@NullMarked
package io.clusterwright.azure.internal.runcommand;

import org.jspecify.annotations.NullMarked;
