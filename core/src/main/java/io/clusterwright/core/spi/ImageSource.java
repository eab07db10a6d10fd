package io.clusterwright.core.spi;

import io.clusterwright.core.type.ImageReference;

/**
 * The image that a machine boots from. A provider reads it from the request for a machine.
 *
 * @see MachineProvider
 */
public sealed interface ImageSource {

    /**
     * An image that exists before the cluster does.
     *
     * @param reference as the spec names it; {@code auto} lets the provider choose
     */
    record Base(ImageReference reference) implements ImageSource {}

    /**
     * An image captured by this library.
     *
     * @param name its name in the provider's store
     */
    record Captured(String name) implements ImageSource {}
}
