/**
 * A JUnit extension that gives a test an emulated Azure.
 *
 * <p>Start with {@link EmulatedAzure} on a test class. Machines are records, so that the tests need neither root nor
 * nodes.
 */
@NullMarked
package io.clusterwright.azure.emulator.junit;

import org.jspecify.annotations.NullMarked;
