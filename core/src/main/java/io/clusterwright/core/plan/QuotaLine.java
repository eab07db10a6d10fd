package io.clusterwright.core.plan;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One line of a plan's quota table: what the machines of one family of sizes need, or all those of a region together. */
public final class QuotaLine {
    private final String family;
    private final int machines;
    private final int visibleCores;
    private final int billedCores;
    private final @Nullable QuotaUse use;

    /**
     * Creates a line.
     *
     * @param use the quota as it is now, or null when it was not queried
     */
    public QuotaLine(String family, int machines, int visibleCores, int billedCores, @Nullable QuotaUse use) {
        this.family = Objects.requireNonNull(family, "family");
        if (machines < 0 || visibleCores < 0 || billedCores < visibleCores) {
            throw new InvalidValueException(
                    "line of quota",
                    machines + " machines, " + visibleCores + " visible and " + billedCores + " billed cores",
                    "numbers from 0 on, and at least as many billed cores as visible ones",
                    "2 machines, 32 visible and 64 billed cores");
        }
        this.machines = machines;
        this.visibleCores = visibleCores;
        this.billedCores = billedCores;
        this.use = use;
    }

    /**
     * The family of sizes, as the cloud names it where that is known, else the full size; {@link QuotaUse#REGION} and
     * {@link QuotaUse#SPOT} are those of a region.
     */
    public String family() {
        return family;
    }

    /** The number of requested machines. */
    public int machines() {
        return machines;
    }

    /** The cores that programs on them see. */
    public int visibleCores() {
        return visibleCores;
    }

    /** The cores that count against the quota, and are paid for: sizes with fewer cores count in full. */
    public int billedCores() {
        return billedCores;
    }

    /** The quota as it is now; empty when it was not queried. */
    public Optional<QuotaUse> use() {
        return Optional.ofNullable(use);
    }

    /** Whether the quota is known not to suffice. */
    public boolean exceeded() {
        return use != null && (long) use.usedCores() + billedCores > use.limitCores();
    }
}
