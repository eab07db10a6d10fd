package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Location;
import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.internal.spec.SourceNode;
import io.clusterwright.core.internal.spec.TreeReader;
import io.clusterwright.core.internal.spec.TreeWriter;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What differs on one kind of provider: part of a description, laid over the rest by {@link ClusterSpec#forProvider}.
 *
 * <p>Groups of names are merged name by name; a list or a single value takes the place of the one below it, and nothing
 * ({@code null}) brings back the default.
 */
public final class SpecOverlay {
    private final SourceNode.Mapping tree;

    SpecOverlay(SourceNode.Mapping tree) {
        this.tree = PlainValues.canonical(tree);
    }

    /**
     * Reads an overlay from YAML or JSON, such as <code>nodes: {count: 4}</code>.
     *
     * @throws InvalidSpecException when the text is neither
     */
    public static SpecOverlay parse(String text) {
        return new SpecOverlay(TreeReader.read(text, "").relocate(at -> Location.NONE));
    }

    /**
     * An overlay of texts, numbers, truth values, lists and maps of these, keyed by the names of a description.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it holds something else
     */
    public static SpecOverlay of(Map<String, ?> values) {
        return new SpecOverlay(PlainValues.mapping(Objects.requireNonNull(values, "values")));
    }

    SourceNode.Mapping tree() {
        return tree;
    }

    /** The overlay as JSON, which {@link #parse} reads. */
    @Override
    public String toString() {
        return TreeWriter.json(tree, false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpecOverlay that && tree.equals(that.tree);
    }

    @Override
    public int hashCode() {
        return tree.hashCode();
    }
}
