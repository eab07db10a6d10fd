package io.clusterwright.mpi.internal.rules;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.preset.VersionRange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A row of {@code variables.yaml}. */
final class VariableRule {
    private final FindingKind kind;
    private final Set<String> flavours;
    private final VersionRange versions;
    private final Map<String, Pattern> when = new LinkedHashMap<>();
    private final List<String> optional;
    private final boolean differ;
    private final String message;
    private final String remedy;

    VariableRule(DataRow row, FindingKind kind) {
        this.kind = kind;
        this.flavours = Set.copyOf(row.texts("flavours"));
        this.versions = VersionRange.of(row.text("versions", "any"));
        row.map("when").forEach((name, value) -> when.put(name, Pattern.compile(value, Pattern.CASE_INSENSITIVE)));
        this.optional = row.texts("optional");
        this.differ = row.text("differ", "false").equals("true");
        this.message = row.text("message");
        this.remedy = row.text("remedy", "");
    }

    /** Whether it says something about this MPI; a version that is not known matches only where every version does. */
    boolean isFor(Set<MpiFlavour> possible, String version) {
        boolean flavour = flavours.isEmpty()
                || possible.stream().map(MpiFlavour::toString).anyMatch(flavours::contains);
        return flavour && versions.contains(version);
    }

    /** One finding for each of these variables that the first condition fits, where all conditions hold. */
    List<Finding> findings(Map<String, String> environment) {
        if (!when.keySet().stream().allMatch(name -> holds(name, environment)) || differ && areEqual(environment)) {
            return List.of();
        }
        return matches(when.keySet().iterator().next(), environment)
                .map(name -> finding(kind, name, filled(message, name, environment), filled(remedy, name, environment)))
                .toList();
    }

    /** The finding of a kind about a variable; an empty remedy stands for the kind's. */
    static Finding finding(FindingKind kind, String variable, String message, String remedy) {
        return new Finding(
                kind.code(),
                kind.severity(),
                "mpi.env." + variable,
                message,
                remedy.isEmpty() ? kind.remedy() : remedy);
    }

    private boolean holds(String name, Map<String, String> environment) {
        return matches(name, environment).findAny().isPresent()
                || optional.contains(name) && !environment.containsKey(name);
    }

    private boolean areEqual(Map<String, String> environment) {
        return environment.entrySet().stream()
                        .filter(entry -> when.containsKey(entry.getKey()))
                        .map(Map.Entry::getValue)
                        .distinct()
                        .count()
                < 2;
    }

    private Stream<String> matches(String name, Map<String, String> environment) {
        Pattern value = Objects.requireNonNull(when.get(name), name);
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
}
