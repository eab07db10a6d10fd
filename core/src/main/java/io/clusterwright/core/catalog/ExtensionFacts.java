package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.Interconnect;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Published facts about one version of an extension. Immutable. */
public final class ExtensionFacts {
    private final String publisher;
    private final String type;
    private final String version;
    private final OperatingSystem operatingSystem;
    private final Set<Interconnect> driversFor;
    private final String purpose;
    private final String settings;
    private final TriState reboots;
    private final Set<String> excludedRegions;
    private final Status status;
    private final String source;

    ExtensionFacts(CatalogRow row) {
        this.publisher = row.required("publisher");
        this.type = row.required("type");
        this.version = row.required("version");
        this.operatingSystem = row.oneOf("os", OperatingSystem.values());
        this.driversFor = Set.copyOf(row.interconnects("drivers_for"));
        this.purpose = row.text("purpose");
        this.settings = row.text("settings");
        this.reboots = row.stated("reboots");
        this.excludedRegions = Set.copyOf(row.words("not_in_regions"));
        this.status = row.value("status", text -> row.oneOf("status", Status.values()))
                .orElse(Status.CURRENT);
        this.source = row.required("source");
    }

    /** The name in a spec: its {@link #type()}. */
    public String name() {
        return type;
    }

    /** Who publishes it. */
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

    /** What the machine runs. */
    public OperatingSystem operatingSystem() {
        return operatingSystem;
    }

    /** The interconnects it brings drivers for; empty when it brings none and suits all sizes. */
    public Set<Interconnect> driversFor() {
        return driversFor;
    }

    /** What it does, and what to know about it. */
    public String purpose() {
        return purpose;
    }

    /** The settings it takes, in words; may be empty. */
    public String settings() {
        return settings;
    }

    /** Whether the machine restarts. */
    public TriState reboots() {
        return reboots;
    }

    /** The regions where it must not be applied, such as {@code westus}. */
    public Set<String> excludedRegions() {
        return excludedRegions;
    }

    /** The state of its life on the day the catalog was made. */
    public Status status() {
        return status;
    }

    /** Where the facts are from; never empty. */
    public String source() {
        return source;
    }

    /** Publisher, type and version. */
    @Override
    public String toString() {
        return publisher + "." + type + " " + version;
    }

    /** The states in an extension's life. */
    public enum Status {
        /** Maintained. */
        CURRENT,
        /** A version before the newest. */
        OLDER,
        /** Another version or extension has taken its place. */
        SUPERSEDED,
        /** For sizes and images of the past. */
        LEGACY,
        /** Its publisher advises against it. */
        DEPRECATED;

        /** The state as catalogs write it, such as {@code superseded}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
