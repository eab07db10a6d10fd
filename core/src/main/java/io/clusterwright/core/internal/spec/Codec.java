package io.clusterwright.core.internal.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads, checks, writes and describes one kind of value.
 *
 * @param <V> the kind of value
 */
public interface Codec<V> {
    /** The value of a node, or null after every problem of the node was reported. */
    @Nullable
    V read(Node node, String path, Reading reading);

    /** The value as plain values: texts, numbers, truth values, lists and maps of these; without defaults. */
    default Object write(V value) {
        return value;
    }

    /** The expected value with an example: {@code a whole number, for example 8}. */
    String expected();

    /**
     * The JSON Schema (2020-12) of what {@link #read} takes.
     *
     * @param partial true for the schema of what {@link #check} takes
     */
    Map<String, Object> schema(boolean partial);

    /** Reports the problems of a part that may be incomplete, such as an overlay's. */
    default void check(Node node, String path, Reading reading) {
        V value = read(node, path, reading);
        if (value != null) {
            reading.attempt(node, path, () -> accept(value));
        }
    }

    /**
     * The value in its canonical form.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the value is out of its range or not of its form
     */
    default V accept(V value) {
        return value;
    }

    /**
     * The value of a text.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the text is not of its form
     */
    default V parse(String text) {
        throw new UnsupportedOperationException("not a scalar: " + expected());
    }
}
