/**
 * A JUnit extension that gives a test an emulated Azure.
 *
 * <p>Start with {@link EmulatedAzure} on a test class.
 */
@NullMarked
package io.clusterwright.azure.emulator.junit;

import org.jspecify.annotations.NullMarked;
