package io.clusterwright.core;

import java.time.Instant;

/**
 * A captured image in a provider's store.
 *
 * @param name its name
 * @param created when it was captured
 * @param sizeBytes what it takes in the store
 * @param proven whether a machine booted from it passed its test; one that is not is never used, and made again
 */
public record StoredImage(String name, Instant created, long sizeBytes, boolean proven) {}
