package io.clusterwright.examples.crash;

import io.clusterwright.examples.crash.CrashRun.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The outcomes of runs, by operation. */
final class CrashTable {
    private static final String LINE = "| %-24s | %7s | %12s | %6s | %12s | %5s | %14s |%n";

    private final Map<CrashedOperation, Row> rows = new EnumMap<>(CrashedOperation.class);

    private static final class Row {
        int effects;
        int runs;
        int reached;
        int leaks;
        int untyped;
        final Set<String> troubles = new TreeSet<>();
    }

    /** Notes the number of effects of an undisturbed operation. */
    synchronized void effects(CrashedOperation operation, int count) {
        row(operation).effects = count;
    }

    synchronized void add(Verdict verdict) {
        Row row = row(verdict.run().operation());
        row.runs++;
        row.reached += verdict.reachedGoal() ? 1 : 0;
        row.leaks += verdict.leaks();
        row.untyped += verdict.untyped();
        verdict.run().strikes().stream()
                .flatMap(List::stream)
                .forEach(strike -> row.troubles.add(strike.trouble().toString()));
    }

    private Row row(CrashedOperation operation) {
        return rows.computeIfAbsent(operation, key -> new Row());
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        List<Object> head =
                List.of("operation", "effects", "disturbances", "runs", "goal reached", "leaks", "untyped errors");
        text.append(LINE.formatted(head.toArray()));
        text.append(
                "|--------------------------|--------:|-------------:|-------:|-------------:|------:|---------------:|\n");
        Row all = new Row();
        rows.forEach((operation, row) -> {
            text.append(line(operation.toString(), row));
            all.effects += row.effects;
            all.runs += row.runs;
            all.reached += row.reached;
            all.leaks += row.leaks;
            all.untyped += row.untyped;
            all.troubles.addAll(row.troubles);
        });
        return text.append(line("all", all)).toString();
    }

    private static String line(String name, Row row) {
        return LINE.formatted(name, row.effects, row.troubles.size(), row.runs, row.reached, row.leaks, row.untyped);
    }
}
