package io.clusterwright.windows.hpcpack;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What the head node tells of a job or a task: names and texts, as it sent them. A name that was not sent is absent. */
public record Properties(Map<String, String> values) {
    /** Copies the map. */
    public Properties {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The text of a property; absent when it was not sent. */
    public Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The text of a property, or empty. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** The number a property holds; absent when it was not sent or is no number. */
    public OptionalInt number(String name) {
        try {
            String text = text(name).strip();
            return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
