package io.clusterwright.core.spi;

import java.time.Instant;

/**
 * A captured image in a provider's store.
 *
 * @param name its name
 * @param created when it was captured
 * @param sizeBytes what it takes in the store
 */
public record StoredImage(String name, Instant created, long sizeBytes) {}
