package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Published facts about one version of an extension. Immutable. Use {@link Extensions#find} to get it.
 *
 * @see Extensions
 */
public final class ExtensionFacts {
    private final String publisher;
    private final String type;
    private final String version;
    private final OperatingSystem operatingSystem;
    private final Set<Interconnect> driversFor;
    private final Set<String> excludedRegions;
    private final Set<String> images;

    ExtensionFacts(CatalogRow row) {
        row.required("source");
        this.publisher = row.required("publisher");
        this.type = row.required("type");
        this.version = row.required("version");
        this.operatingSystem = row.oneOf("os", List.of(OperatingSystem.values()));
        this.driversFor = Set.copyOf(row.interconnects("drivers_for"));
        this.images = Set.copyOf(row.words("images"));
        this.excludedRegions = Set.copyOf(row.words("not_in_regions"));
    }

    /** The name in a spec: its {@link #type()}. */
    public String name() {
        return type;
    }

    /** The publisher. */
    public String publisher() {
        return publisher;
    }

    /** Its type, such as {@code InfiniBandDriverLinux}. */
    public String type() {
        return type;
    }

    /** Its version as the sources write it, such as {@code 1.2}, or {@code 1.*} where they name no minor one. */
    public String version() {
        return version;
    }

    /** The version to ask for; none where the sources name no minor one. */
    public Optional<String> exactVersion() {
        return Optional.of(version).filter(text -> text.matches("[0-9.]+"));
    }

    /** The operating system of the machine. */
    public OperatingSystem operatingSystem() {
        return operatingSystem;
    }

    /** The interconnects it brings drivers for; empty when it brings none and suits all sizes. */
    public Set<Interconnect> driversFor() {
        return driversFor;
    }

    /** Whether its publisher supports it on an image; where the sources name no images, on all of its operating system. */
    public boolean supports(ImageReference image) {
        return images.isEmpty()
                || image instanceof Marketplace one
                        && images.stream()
                                .anyMatch(String.join(":", one.publisher(), one.offer(), one.sku())
                                        .toLowerCase(Locale.ROOT)::matches);
    }

    /** The regions where it must not be applied, such as {@code westus}. */
    public Set<String> excludedRegions() {
        return excludedRegions;
    }

    /** Publisher, type and version. */
    @Override
    public String toString() {
        return publisher + "." + type + " " + version;
    }
}
