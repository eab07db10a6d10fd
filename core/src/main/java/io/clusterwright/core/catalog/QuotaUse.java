package io.clusterwright.core.catalog;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A quota of a subscription in a region as it is now. Use it to plan against a quota without an account: {@code az vm
 * list-usage} lists the numbers, under names such as {@code standardHBrsv2Family}, {@value #REGION} and {@value
 * #SPOT}.
 *
 * @param family the family of sizes it is for, or {@link #REGION} or {@link #SPOT}; blanks and case do not matter
 * @param usedCores cores in use, at least 0
 * @param limitCores cores there may be, at least 0
 * @see io.clusterwright.core.plan.PriceTable
 */
public record QuotaUse(String family, int usedCores, int limitCores) {
    /** The quota of all machines of a region together, but spot machines: {@value}. */
    public static final String REGION = "cores";
    /** The quota of all spot machines of a region together, which count against no family: {@value}. */
    public static final String SPOT = "lowPriorityCores";

    /** The names that Azure shows to people. */
    private static final Map<String, String> TITLES = Map.of(
            "totalregionalcores", REGION,
            "totalregionalvcpus", REGION,
            "totalregionallow-prioritycores", SPOT,
            "totalregionallow-priorityvcpus", SPOT,
            "totalregionalspotvcpus", SPOT);

    private static final CatalogFile<QuotaUse> FILE =
            new CatalogFile<>("family* used* limit*", QuotaUse::of, row -> row.required("family"));
    private static final int MOST_CORES = 9_999_999;

    /**
     * Checks the numbers.
     *
     * @throws InvalidValueException when the family is blank or a number is below 0
     */
    public QuotaUse {
        Objects.requireNonNull(family, "family");
        if (family.isBlank()) {
            throw new InvalidValueException("quota family", family, "the name of a family", "standardHBrsv2Family");
        }
        if (usedCores < 0 || limitCores < 0) {
            throw new InvalidValueException(
                    "quota of " + family,
                    usedCores + " of " + limitCores + " cores",
                    "numbers of 0 or more",
                    "120 of 350");
        }
    }

    /**
     * Reads the quotas of a subscription from a file: cores in use and cores allowed, of each family of sizes, and of the region
     * under {@code cores} and {@code lowPriorityCores}.
     *
     * @param file CSV in UTF-8 with the columns {@code family}, {@code used} and {@code limit}; lines that begin with {@code #} are
     *     comments
     * @throws io.clusterwright.core.spec.InvalidSpecException with every row that cannot be used, its line and what is allowed
     */
    public static List<QuotaUse> read(Path file) {
        return List.copyOf(FILE.file(file).values());
    }

    private static QuotaUse of(CatalogRow row) {
        return new QuotaUse(row.required("family"), cores(row, "used"), cores(row, "limit"));
    }

    private static int cores(CatalogRow row, String name) {
        String text = row.required(name);
        if (!text.matches("[0-9]{1,7}")) {
            throw new InvalidValueException(name, text, "a number of cores from 0 to " + MOST_CORES, "350");
        }
        return Integer.parseInt(text);
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
