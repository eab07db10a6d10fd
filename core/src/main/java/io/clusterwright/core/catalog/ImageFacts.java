package io.clusterwright.core.catalog;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Published facts about one image. Immutable. Use {@link Images#find} to get it.
 *
 * @see Images
 */
public final class ImageFacts {
    private final String name;
    private final boolean classic;
    private final ImageReference.@Nullable Marketplace reference;
    private final String publisher;
    private final String distribution;
    private final @Nullable Integer generation;
    private final Architecture architecture;
    private final @Nullable Boolean rdmaDrivers;
    private final Set<Interconnect> driversFor;
    private final @Nullable Boolean mpi;
    private final String contents;
    private final boolean paid;
    private final boolean plan;
    private final Status status;
    private final String source;

    /** The name of the image of a row: of the classic model, or else publisher, offer and SKU. */
    static String name(CatalogRow row) {
        String classic = row.text("classic_name");
        return classic.isEmpty()
                ? String.join(":", row.required("publisher"), row.required("offer"), row.required("sku"))
                : classic;
    }

    ImageFacts(CatalogRow row) {
        this.name = name(row);
        this.publisher = row.required("publisher");
        this.classic = !row.text("classic_name").isEmpty();
        this.reference = classic && row.text("offer").isEmpty()
                ? null
                : new ImageReference.Marketplace(publisher, row.required("offer"), row.required("sku"), "latest");
        this.distribution = row.required("os");
        this.generation = generation(row.text("generation"));
        this.architecture = row.value("architecture", text -> row.oneOf("architecture", List.of(Architecture.values())))
                .orElse(Architecture.X64);
        this.rdmaDrivers = row.stated("rdma_ready").orElse(null);
        this.driversFor = Set.copyOf(row.interconnects("drivers_for"));
        this.mpi = row.stated("mpi_preinstalled").orElse(null);
        this.contents = row.text("contents");
        this.paid = row.yes("paid");
        this.plan = row.yes("plan");
        this.status = row.value("status", text -> row.oneOf("status", List.of(Status.values())))
                .orElse(Status.LISTED);
        this.source = row.required("source");
    }

    private static @Nullable Integer generation(String text) {
        return switch (text) {
            case "" -> null;
            case "gen1" -> 1;
            case "gen2" -> 2;
            default -> throw new InvalidValueException("generation", text, "gen1, gen2 or an empty cell", "gen2");
        };
    }

    /** {@code publisher:offer:sku}, or the whole name of an image of the classic deployment model. */
    public String name() {
        return name;
    }

    /**
     * The reference to its newest version. For an image of the classic model, which nothing can start today, that is the image of the
     * marketplace with the same content; empty where none is known.
     */
    public Optional<ImageReference> reference() {
        return Optional.ofNullable(reference);
    }

    /** Whether it belongs to the classic deployment model. */
    public boolean isClassic() {
        return classic;
    }

    /** The publisher. */
    public String publisher() {
        return publisher;
    }

    /** The content in the publisher's words, such as {@code SLES 12 HPC}. */
    public String distribution() {
        return distribution;
    }

    /** Whether it is Windows or Linux. */
    public OperatingSystem operatingSystem() {
        return distribution.startsWith("Windows") ? OperatingSystem.WINDOWS : OperatingSystem.LINUX;
    }

    /** The generation of machine it boots on, 1 or 2, where it is stated. */
    public OptionalInt generation() {
        return generation == null ? OptionalInt.empty() : OptionalInt.of(generation);
    }

    /** The processors it is made for. */
    public Architecture architecture() {
        return architecture;
    }

    /** Whether RDMA drivers are inside; where not, an extension brings them. Empty where it is not stated. */
    public Optional<Boolean> rdmaDrivers() {
        return Optional.ofNullable(rdmaDrivers);
    }

    /** The interconnects that the drivers inside are for; empty where the image has no drivers or does not state them. */
    public Set<Interconnect> driversFor() {
        return driversFor;
    }

    /** Whether an MPI is installed; empty where it is not stated. */
    public Optional<Boolean> mpi() {
        return Optional.ofNullable(mpi);
    }

    /** Further content in a few words; may be empty. */
    public String contents() {
        return contents;
    }

    /** Whether the publisher's support is charged on top, as with SUSE's {@code -priority-} images. */
    public boolean isPaid() {
        return paid;
    }

    /** Whether the publisher's purchase plan has to be accepted, and named with the machine. */
    public boolean needsPlan() {
        return plan;
    }

    /** The state of its life on the day the catalog was made. */
    public Status status() {
        return status;
    }

    /** The source of the facts; never empty. */
    public String source() {
        return source;
    }

    /** The name. */
    @Override
    public String toString() {
        return name;
    }

    /** The states in an image's life. */
    public enum Status {
        /** Offered and maintained. */
        CURRENT,
        /** Offered; the sources do not state its life. */
        LISTED,
        /** Superseded, and may be gone. */
        OLDER,
        /** Its distribution has ended. */
        END_OF_LIFE,
        /** Of the classic deployment model, which has ended. */
        CLASSIC,
        /** Known by name only; it may not be available. */
        UNCERTAIN;

        /** The state as catalogs write it, such as {@code end-of-life}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }
}
