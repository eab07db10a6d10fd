/** A JUnit extension that gives a test an emulated Azure. */
@NullMarked
package io.clusterwright.azure.emulator.junit;

import org.jspecify.annotations.NullMarked;
