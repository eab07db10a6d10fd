package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.SourceNode;
import io.clusterwright.core.internal.spec.SourceNode.Entry;
import io.clusterwright.core.internal.spec.SourceNode.Mapping;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lays what differs on one kind of provider over the rest of a description. */
final class Overlays {
    private Overlays() {}

    static ClusterSpec apply(ClusterSpec spec, String provider, SpecOverlay overlay) {
        String origin = "on." + provider;
        Mapping changes = overlay.tree().relocate(at -> at.from(origin));
        Mapping base = ClusterCodec.CODEC.write(spec, false);
        Mapping merged = without(merge(lowerQuorum(spec, base, changes), changes), "on");
        Reading reading = new Reading();
        if (changes.get("on") != null) {
            reading.report(changes, "on", "an overlay cannot hold overlays", "leave it out");
        }
        ClusterSpec result = ClusterCodec.CODEC.read(merged, "", reading);
        if (result == null || reading.count() > 0) {
            throw new InvalidSpecException(reading.problems().stream()
                    .map(problem -> explained(problem, origin))
                    .toList());
        }
        return result.toBuilder().baseFolder(spec.baseFolder()).build();
    }

    private static SpecProblem explained(SpecProblem problem, String origin) {
        return problem.path().startsWith(origin)
                ? problem
                : SpecProblem.of(
                        origin + "." + problem.path(),
                        problem.message() + " (with " + origin + " laid over the rest)",
                        problem.remedy());
    }

    private static Mapping lowerQuorum(ClusterSpec spec, Mapping base, Mapping changes) {
        boolean follows = spec.nodes().givenQuorum().isPresent()
                && changes.get("nodes") instanceof Mapping nodes
                && nodes.get("quorum") == null
                && nodes.get("count") instanceof SourceNode.Scalar count
                && count.text().matches("[1-9]\\d{0,5}")
                && Integer.parseInt(count.text()) < spec.nodes().quorum();
        if (!follows || !(base.get("nodes") instanceof Mapping nodes)) {
            return base;
        }
        Map<String, Entry> entries = new LinkedHashMap<>(base.entries());
        entries.put("nodes", Entry.of(without(nodes, "quorum")));
        return new Mapping(entries, base.at());
    }

    private static Mapping without(Mapping mapping, String name) {
        Map<String, Entry> entries = new LinkedHashMap<>(mapping.entries());
        entries.remove(name);
        return new Mapping(entries, mapping.at());
    }

    private static Mapping merge(Mapping base, Mapping changes) {
        Map<String, Entry> entries = new LinkedHashMap<>(base.entries());
        changes.entries().forEach((name, change) -> {
            SourceNode value = base.get(name) instanceof Mapping below && change.value() instanceof Mapping above
                    ? merge(below, above)
                    : change.value();
            entries.put(name, new Entry(change.key(), value));
        });
        return new Mapping(entries, base.at());
    }
}
