package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A row of {@code variables.yaml}. */
final class VariableRule {
    private final String code;
    private final Set<String> flavours;
    private final VersionRange versions;
    private final Map<String, Pattern> when = new LinkedHashMap<>();
    private final List<String> optional;
    private final boolean differ;
    private final String message;
    private final String remedy;
    private final String source;

    VariableRule(DataRow row) {
        this.code = row.text("code");
        this.flavours = Set.copyOf(row.texts("flavours"));
        this.versions = VersionRange.parse(row.text("versions", "any"));
        row.map("when").forEach((name, value) -> when.put(name, Pattern.compile(value, Pattern.CASE_INSENSITIVE)));
        this.optional = row.texts("optional");
        this.differ = row.text("differ", "false").equals("true");
        this.message = row.text("message");
        this.remedy = row.text("remedy", "");
        this.source = row.text("source");
    }

    String code() {
        return code;
    }

    String remedy() {
        return remedy;
    }

    String source() {
        return source;
    }

    /** Whether it says something about this MPI; a version that is not known matches only where every version does. */
    boolean isFor(Set<MpiFlavour> possible, String version) {
        boolean flavour = flavours.isEmpty()
                || possible.stream().map(MpiFlavour::toString).anyMatch(flavours::contains);
        return flavour && versions.contains(version);
    }

    /** The hits among these variables: one message for each name that its first pattern fits. */
    List<Hit> hits(Map<String, String> environment) {
        String first = when.keySet().iterator().next();
        for (Map.Entry<String, Pattern> condition : when.entrySet()) {
            String name = condition.getKey();
            boolean holds =
                    matches(name, condition.getValue(), environment).findAny().isPresent()
                            || optional.contains(name) && !environment.containsKey(name);
            if (!holds) {
                return List.of();
            }
        }
        if (differ
                && new HashSet<>(environment.entrySet().stream()
                                        .filter(entry -> when.containsKey(entry.getKey()))
                                        .map(Map.Entry::getValue)
                                        .toList())
                                .size()
                        < 2) {
            return List.of();
        }
        List<Hit> hits = new ArrayList<>();
        matches(first, when.getOrDefault(first, Pattern.compile("")), environment)
                .forEach(name ->
                        hits.add(new Hit(name, filled(message, name, environment), filled(remedy, name, environment))));
        return hits;
    }

    private static Stream<String> matches(String name, Pattern value, Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(entry -> name.endsWith("*")
                        ? entry.getKey().startsWith(name.substring(0, name.length() - 1))
                        : entry.getKey().equals(name))
                .filter(entry -> value.matcher(entry.getValue()).matches())
                .map(Map.Entry::getKey);
    }

    private static String filled(String text, String name, Map<String, String> environment) {
        String filled = text.replace("{name}", name);
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            filled = filled.replace("{" + entry.getKey() + "}", entry.getValue());
        }
        return filled;
    }

    record Hit(String variable, String message, String remedy) {}
}
