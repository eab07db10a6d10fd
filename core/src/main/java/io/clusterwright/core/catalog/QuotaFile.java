package io.clusterwright.core.catalog;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Reads what a caller knows of the quotas of a subscription, such as {@code az vm list-usage} tells. */
public final class QuotaFile {
    private static final CatalogFile<QuotaUse> FILE = new CatalogFile<>(
            List.of("family", "used", "limit"), Set.of("family", "used", "limit"), QuotaFile::quota, QuotaUse::family);

    private QuotaFile() {}

    /**
     * Cores in use and cores allowed, of each family of sizes, and of the region under {@code cores} and {@code lowPriorityCores}.
     *
     * @param file CSV in UTF-8 with the columns {@code family}, {@code used} and {@code limit}; lines that begin with {@code #} are
     *     comments
     * @throws InvalidCatalogException with every row that cannot be used, its line and what is allowed
     */
    public static List<QuotaUse> read(Path file) {
        return FILE.file(file);
    }

    private static QuotaUse quota(CatalogRow row) {
        return new QuotaUse(row.required("family"), cores(row, "used"), cores(row, "limit"));
    }

    private static int cores(CatalogRow row, String name) {
        String text = row.required(name);
        if (!text.matches("[0-9]{1,7}")) {
            throw new InvalidValueException(name, text, "a number of cores from 0 to 9999999", "350");
        }
        return Integer.parseInt(text);
    }
}
