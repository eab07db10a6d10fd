/** The programs of this module as a user meets them: processes with arguments, streams and an exit status. */
@NullMarked
package io.clusterwright.examples.e2e;

import org.jspecify.annotations.NullMarked;
