package io.clusterwright.core.internal.spec;

import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of value is read from a tree and written to one.
 *
 * @param <V> the kind of value
 */
public interface Codec<V> {
    /** The value, or null after every reason why there is none was reported. */
    @Nullable
    V read(SourceNode node, String path, Reading reading);

    /**
     * The value as a tree.
     *
     * @param full whether to write what is a default, too
     */
    SourceNode write(V value, boolean full);

    /** What belongs here, with an example: {@code a whole number, for example 8}. */
    String expected();

    /**
     * What {@link #read} takes, as JSON Schema (2020-12); or what {@link #check} takes.
     *
     * @param partial whether the value need not be complete
     */
    Map<String, Object> schema(boolean partial);

    /**
     * What {@link #read} takes and a field then accepts.
     *
     * @param accepts asks the field, which refuses what is out of its range
     */
    default Map<String, Object> schema(boolean partial, Predicate<V> accepts) {
        return schema(partial);
    }

    /** Reports what is wrong with a part that need not be complete, such as an overlay's. */
    default void check(SourceNode node, String path, Reading reading) {
        read(node, path, reading);
    }
}
