/** The Batch service: pools, jobs, multi-instance tasks. */
@NullMarked
package io.clusterwright.azure.emulator.internal.batch;

import org.jspecify.annotations.NullMarked;
