package io.clusterwright.core.catalog;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A quota of a subscription in a region as it is now. Azure tells them with {@code az vm list-usage}, under names such as
 * {@code standardHBrsv2Family}, {@value #REGION} and {@value #SPOT}.
 *
 * @param family the family of sizes it is for, or {@link #REGION} or {@link #SPOT}; blanks and case do not matter
 * @param usedCores cores in use, at least 0
 * @param limitCores cores there may be, at least 0
 */
public record QuotaUse(String family, int usedCores, int limitCores) {
    /** The quota of all machines of a region together, but spot machines: {@value}. */
    public static final String REGION = "cores";
    /** The quota of all spot machines of a region together, which count against no family: {@value}. */
    public static final String SPOT = "lowPriorityCores";

    /** What Azure shows to people in place of the names. */
    private static final Map<String, String> TITLES = Map.of(
            "totalregionalcores", REGION,
            "totalregionalvcpus", REGION,
            "totalregionallow-prioritycores", SPOT,
            "totalregionallow-priorityvcpus", SPOT,
            "totalregionalspotvcpus", SPOT);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when the family is blank or a number is below 0
     */
    public QuotaUse {
        Objects.requireNonNull(family, "family");
        if (family.isBlank()) {
            throw new IllegalArgumentException("a quota needs the name of a family, such as standardHBrsv2Family");
        }
        if (usedCores < 0 || limitCores < 0) {
            throw new IllegalArgumentException("the quota of " + family + " has cores below 0: " + usedCores + " of "
                    + limitCores + " in use; give numbers from 0 on");
        }
    }

    /** Whether this is the quota of that name; Azure writes names with blanks in some answers and without in others. */
    public boolean isFor(String name) {
        return plain(family).equals(plain(name));
    }

    private static String plain(String name) {
        String plain = name.replace(" ", "").toLowerCase(Locale.ROOT);
        return TITLES.getOrDefault(plain, plain).toLowerCase(Locale.ROOT);
    }
}
