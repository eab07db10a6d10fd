package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.type.ImageReference.Marketplace;
import java.util.stream.Stream;

/**
 * An image of the marketplace, as the catalog knows it.
 *
 * @param urn the reference to its newest version
 */
public record MarketplaceImage(Marketplace urn, ImageFacts facts) {
    /** All images of the catalog but the images of the classic model, which stand for images of the marketplace. */
    public static Stream<MarketplaceImage> all() {
        return Images.standard().all().stream()
                .filter(facts -> !facts.isClassic())
                .flatMap(facts -> facts.reference().stream()
                        .filter(Marketplace.class::isInstance)
                        .map(urn -> new MarketplaceImage((Marketplace) urn, facts)));
    }
}
