package io.clusterwright.core;

import java.time.Instant;

/**
 * A captured image in a provider's store. Use it to list and delete images: {@code ClusterManager.images}.
 *
 * @param name its name
 * @param created the time of its capture
 * @param sizeBytes its size in the store
 * @param proven whether a machine booted from it passed its test; one that is not proven is never used, and is built again
 * @param owner the {@linkplain StateStore#owner() id} of the state store that captured it; empty for an image without that mark
 * @see ClusterManager#owns
 * @see ClusterManager
 */
public record StoredImage(String name, Instant created, long sizeBytes, boolean proven, String owner) {}
