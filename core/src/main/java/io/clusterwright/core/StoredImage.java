package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.type.HasJson;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A captured image in a provider's store. Use it to list and delete images: {@code ClusterManager.images}. Immutable.
 *
 * @see ClusterManager#owns
 * @see ClusterManager
 */
public final class StoredImage implements HasJson {
    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    private final String name;
    private final Instant created;
    private final long sizeBytes;
    private final boolean proven;
    private final String owner;
    private final Instant lastUsed;
    private final int billedCopies;

    /**
     * An image that is not billed, and was not used since its capture.
     *
     * @param name its name
     * @param created the time of its capture
     * @param sizeBytes its size in the store
     * @param proven whether a machine booted from it passed its test
     * @param owner the {@linkplain StateStore#owner() id} of the state store that captured it; empty for an image without that mark
     */
    public StoredImage(String name, Instant created, long sizeBytes, boolean proven, String owner) {
        this(name, created, sizeBytes, proven, owner, created, 0);
    }

    private StoredImage(
            String name,
            Instant created,
            long sizeBytes,
            boolean proven,
            String owner,
            Instant lastUsed,
            int billedCopies) {
        this.name = Objects.requireNonNull(name, "name");
        this.created = Objects.requireNonNull(created, "created");
        this.sizeBytes = sizeBytes;
        this.proven = proven;
        this.owner = Objects.requireNonNull(owner, "owner");
        this.lastUsed = lastUsed;
        this.billedCopies = billedCopies;
    }

    /** The same image, last used then; a time before its capture counts as the time of its capture. */
    public StoredImage usedAt(Instant time) {
        Instant used = time.isAfter(created) ? time : created;
        return new StoredImage(name, created, sizeBytes, proven, owner, used, billedCopies);
    }

    /** The same image, of which this number of copies is billed. */
    public StoredImage billedAs(int copies) {
        return new StoredImage(name, created, sizeBytes, proven, owner, lastUsed, copies);
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** The time of its capture. */
    public Instant created() {
        return created;
    }

    /** Its size in the store. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Whether a machine booted from it passed its test; an image that is not proven is never used, and is built again. */
    public boolean proven() {
        return proven;
    }

    /** The {@linkplain StateStore#owner() id} of the state store that captured it; empty for an image without that mark. */
    public String owner() {
        return owner;
    }

    /** The last time at which machines were made from it, on Azure to the day; the time of its capture if none was made later. */
    public Instant lastUsed() {
        return lastUsed;
    }

    /** The number of copies that the provider bills, such as the replicas of a gallery; 0 if images are not billed. */
    public int billedCopies() {
        return billedCopies;
    }

    /**
     * The price of all its copies for one month, at most: a copy that is not full costs less. Empty if the table has no price of
     * snapshots.
     */
    public Optional<BigDecimal> perMonth(PriceTable prices) {
        return prices.snapshotPerGibMonth()
                .map(price -> price.multiply(BigDecimal.valueOf(sizeBytes))
                        .multiply(BigDecimal.valueOf(billedCopies))
                        .divide(GIB, 2, RoundingMode.HALF_UP));
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("name", name)
                .and("proven", proven)
                .and("created", created)
                .and("lastUsed", lastUsed)
                .and("bytes", sizeBytes)
                .and("billedCopies", billedCopies)
                .andIf(!owner.isEmpty(), "owner", owner);
    }

    /** Whether all values are the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredImage image && toMap().equals(image.toMap());
    }

    @Override
    public int hashCode() {
        return toMap().hashCode();
    }

    /** The name, as providers and commands take it. */
    @Override
    public String toString() {
        return name;
    }
}
