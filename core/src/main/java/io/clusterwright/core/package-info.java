/** What every module shares: the root of the exceptions this library throws. */
@NullMarked
package io.clusterwright.core;

import org.jspecify.annotations.NullMarked;
