package io.clusterwright.linux.internal.local.disk;

import java.time.Instant;
import java.util.List;

/**
 * What the store keeps about an image.
 *
 * @param name its name
 * @param created when it was captured
 * @param layers the checksums of its layers' archives, the upper first
 * @param sizeBytes what the archives take together
 * @param proven whether a machine booted from it passed its test
 */
public record StoredLayers(String name, Instant created, List<String> layers, long sizeBytes, boolean proven) {
    public StoredLayers {
        layers = List.copyOf(layers);
    }
}
