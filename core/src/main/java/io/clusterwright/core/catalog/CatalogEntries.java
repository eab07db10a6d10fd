package io.clusterwright.core.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a catalog by their keys, in its order. One of the library's own files is made when it is first asked for: of more than a
 * hundred most commands need one or two. Thread-safe.
 *
 * @param <T> the entry, which is immutable
 */
final class CatalogEntries<T> {
    private final Map<String, Entry<T>> entries;

    /** Takes over the map. */
    CatalogEntries(Map<String, Entry<T>> entries) {
        this.entries = entries;
    }

    /** The entry with a key. */
    Optional<T> find(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::get);
    }

    /** All entries, in their order. */
    List<T> all() {
        return entries.values().stream().map(Entry::get).toList();
    }

    /** These entries and others, which win over those with the same keys. */
    CatalogEntries<T> plus(Map<String, T> winning) {
        Map<String, Entry<T>> merged = new LinkedHashMap<>(entries);
        winning.forEach((key, entry) -> merged.put(key, new Entry<>(() -> entry)));
        return new CatalogEntries<>(merged);
    }

    /** An entry that may not have been made yet. It is made once: entries are compared by identity. */
    static final class Entry<T> {
        private final Supplier<T> make;
        private volatile @Nullable T made;

        Entry(Supplier<T> make) {
            this.make = make;
        }

        private T get() {
            T known = made;
            return known == null ? makeOnce() : known;
        }

        private synchronized T makeOnce() {
            T known = made;
            if (known == null) {
                known = make.get();
                made = known;
            }
            return known;
        }
    }
}
