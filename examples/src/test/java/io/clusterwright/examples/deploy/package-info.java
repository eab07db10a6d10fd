/** Templates of the library, deployed on an emulated Azure. */
@NullMarked
package io.clusterwright.examples.deploy;

import org.jspecify.annotations.NullMarked;
