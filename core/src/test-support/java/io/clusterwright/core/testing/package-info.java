/** What the test runs of all modules print and how they end. */
package io.clusterwright.core.testing;
