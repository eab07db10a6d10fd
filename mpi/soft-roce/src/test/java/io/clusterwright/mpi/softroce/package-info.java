/** Tests on real verbs: the profile {@code soft-roce} compiles and runs them, and nothing else. */
@NullMarked
package io.clusterwright.mpi.softroce;

import org.jspecify.annotations.NullMarked;
