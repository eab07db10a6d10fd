/** Parts shared by the packages of this module; not exported. */
@NullMarked
package io.clusterwright.mpi.internal;

import org.jspecify.annotations.NullMarked;

