package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.SpecPrinter;
import io.clusterwright.core.internal.spec.SpecText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The differences on one kind of provider: part of a cluster spec, laid over the rest by {@link
 * ClusterSpec#forProvider}.
 *
 * <p>Groups of names are merged name by name; a list or a single value takes the place of the one below it, and
 * {@code null} brings back the default.
 */
public final class SpecOverlay {
    private final Map<String, @Nullable Object> values;

    SpecOverlay(Map<String, @Nullable Object> values) {
        this.values = values;
    }

    /**
     * Reads an overlay from YAML or JSON, such as <code>nodes: {count: 4}</code>.
     *
     * @throws InvalidSpecException when the text is neither
     */
    public static SpecOverlay parse(String text) {
        return new SpecOverlay(PlainValues.lenient(SpecText.read(text, "")));
    }

    /**
     * An overlay of texts, numbers, truth values, lists and maps of these, keyed by the names of a cluster spec.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it holds anything else
     */
    public static SpecOverlay of(Map<String, ?> values) {
        return new SpecOverlay(PlainValues.copyOf(Objects.requireNonNull(values, "values")));
    }

    Map<String, @Nullable Object> values() {
        return values;
    }

    /** The cluster spec with this overlay laid over it. */
    ClusterSpec over(ClusterSpec spec, String provider) {
        String origin = "on." + provider;
        Map<String, @Nullable Object> merged = merge(baseOf(spec), values);
        merged.remove("on");
        Node tree = PlainValues.tree(merged);
        Reading reading = new Reading();
        if (values.get("on") != null) {
            reading.report(tree, origin + ".on", "an overlay cannot hold overlays", "leave it out");
        }
        ClusterSpec result = ClusterSpec.FIELDS.read(tree, "", reading);
        if (result == null || reading.count() > 0) {
            throw new InvalidSpecException(reading.problems().stream()
                    .map(problem -> explained(problem, origin))
                    .toList());
        }
        return result.toBuilder().baseFolder(spec.baseFolder()).build();
    }

    /** The problem at its path in the overlay. */
    private SpecProblem explained(SpecProblem problem, String origin) {
        if (problem.path().startsWith(origin)) {
            return problem;
        }
        return SpecProblem.of(
                origin + "." + problem.path(),
                problem.message() + " (with " + origin + " laid over the rest)",
                problem.remedy());
    }

    /** The values of the cluster spec; without its quorum, where the overlay lowers the number of nodes below it. */
    private Map<String, @Nullable Object> baseOf(ClusterSpec spec) {
        Map<String, @Nullable Object> base = new LinkedHashMap<>(ClusterSpec.FIELDS.write(spec, false));
        boolean follows = spec.nodes().givenQuorum().isPresent()
                && values.get("nodes") instanceof Map<?, ?> nodes
                && nodes.get("quorum") == null
                && nodes.get("count") instanceof Long count
                && count < spec.nodes().quorum();
        if (follows && base.get("nodes") instanceof Map<?, ?> nodes) {
            Map<Object, Object> rest = new LinkedHashMap<>(nodes);
            rest.remove("quorum");
            base.put("nodes", rest);
        }
        return base;
    }

    private static Map<String, @Nullable Object> merge(Map<?, ?> base, Map<?, ?> changes) {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>();
        base.forEach((name, value) -> merged.put((String) name, value));
        changes.forEach((name, change) -> merged.put(
                (String) name,
                merged.get(name) instanceof Map<?, ?> below && change instanceof Map<?, ?> above
                        ? merge(below, above)
                        : change));
        return merged;
    }

    /** The overlay as JSON, which {@link #parse} reads. */
    @Override
    public String toString() {
        return SpecPrinter.json(values, false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpecOverlay that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
