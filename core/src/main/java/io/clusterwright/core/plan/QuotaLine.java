package io.clusterwright.core.plan;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.InvalidValueException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One line of a plan's quota table: the cores that the machines of one family of sizes need, or all machines of a
 * region together. Use it to find the quota that a cluster exceeds.
 *
 * @param family the family of sizes, as the cloud names it where that is known, else the full size; {@link QuotaUse#REGION} and
 *     {@link QuotaUse#SPOT} are the quotas of a region
 * @param machines the number of requested machines
 * @param visibleCores the cores that programs on them see
 * @param billedCores the cores that count against the quota, and are paid for: sizes with fewer cores count in full
 * @param use the quota as it is now; empty when it was not queried
 * @see Plan
 */
public record QuotaLine(String family, int machines, int visibleCores, int billedCores, Optional<QuotaUse> use)
        implements HasJson {
    /** Checks the numbers. */
    public QuotaLine {
        Objects.requireNonNull(family, "family");
        Objects.requireNonNull(use, "use");
        if (machines < 0 || visibleCores < 0 || billedCores < visibleCores) {
            throw new InvalidValueException(
                    "quota line",
                    machines + " machines, " + visibleCores + " visible and " + billedCores + " billed cores",
                    "numbers of 0 or more, with at least as many billed cores as visible cores",
                    "2 machines, 32 visible and 64 billed cores");
        }
    }

    /** Whether the quota is known not to suffice. */
    public boolean exceeded() {
        return use.filter(now -> (long) now.usedCores() + billedCores > now.limitCores())
                .isPresent();
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("family", family)
                .and("machines", machines)
                .and("asked", visibleCores)
                .and("billedCores", billedCores)
                .and("used", use.map(QuotaUse::usedCores))
                .and("limit", use.map(QuotaUse::limitCores));
    }
}
