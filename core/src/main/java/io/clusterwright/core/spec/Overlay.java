package io.clusterwright.core.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lays the differences on one kind of provider over a cluster spec. */
final class Overlay {
    private static final int MOST_PROVIDERS = 10;

    private Overlay() {}

    /**
     * The cluster spec with the overlay laid over it.
     *
     * @throws InvalidSpecException with all problems, by their paths in the overlay
     */
    static ClusterSpec over(ClusterSpec spec, String provider, Map<String, @Nullable Object> overlay) {
        String origin = "on." + provider;
        Map<String, @Nullable Object> merged = merge(baseOf(spec, overlay), overlay);
        merged.remove("on");
        List<SpecProblem> problems = new ArrayList<>();
        if (overlay.get("on") != null) {
            problems.add(
                    SpecProblem.of(origin + ".on", "an overlay cannot have overlays", "remove on from the overlay"));
        }
        try {
            ClusterSpec result = ClusterSpec.FIELDS.of(merged);
            if (problems.isEmpty()) {
                return result.toBuilder()
                        .baseFolder(spec.baseFolder())
                        .sourceOf(spec)
                        .build();
            }
        } catch (InvalidSpecException e) {
            e.problems()
                    .forEach(problem -> problems.add(
                            problem.explained(" (with " + origin + " applied)").under(origin)));
        }
        throw new InvalidSpecException(problems.stream().map(spec::located).toList());
    }

    /** The values of the cluster spec; without its quorum, where the overlay lowers the number of nodes below it. */
    private static Map<String, @Nullable Object> baseOf(ClusterSpec spec, Map<String, @Nullable Object> overlay) {
        Map<String, @Nullable Object> base = new LinkedHashMap<>(ClusterSpec.FIELDS.write(spec));
        boolean follows = spec.nodes().givenQuorum().isPresent()
                && overlay.get("nodes") instanceof Map<?, ?> nodes
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
                merged.get(name) instanceof Map<?, ?> below
                                && change instanceof Map<?, ?> above
                                && !isOtherSource(below, above)
                        ? merge(below, above)
                        : change));
        return merged;
    }

    /** The source of an MPI is an archive or packages: one takes the place of the other. */
    private static boolean isOtherSource(Map<?, ?> below, Map<?, ?> above) {
        return below.containsKey("archive") && above.containsKey("packages")
                || below.containsKey("packages") && above.containsKey("archive") && above.containsKey("sha256");
    }

    /** Reports overlays for more providers than there can be. */
    static void checkNumber(Map<String, Map<String, @Nullable Object>> overlays, Problems problems) {
        if (overlays.size() > MOST_PROVIDERS) {
            problems.add(
                    "on",
                    "there are overlays for " + overlays.size() + " providers, and a spec has at most "
                            + MOST_PROVIDERS,
                    "remove the overlays of providers that you do not use");
        }
    }

    /**
     * Lays each overlay of a spec over the rest.
     *
     * @throws InvalidSpecException with the problems of all
     */
    static void check(ClusterSpec spec) {
        Problems problems = new Problems();
        spec.on().forEach((provider, overlay) -> problems.part("", () -> over(spec, provider, overlay)));
        problems.throwIfAny();
    }
}
