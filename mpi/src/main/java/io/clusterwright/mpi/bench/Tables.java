package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.internal.output.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tables found so far, in the order they began. */
final class Tables {
    private final Consumer<BenchmarkRow> listener;
    private final List<TableBuilder> open = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    Tables(Consumer<BenchmarkRow> listener) {
        this.listener = listener;
    }

    TableBuilder open(TableBuilder.Heading heading, Line start, RateUnit expectedUnit, @Nullable RateCheck check) {
        TableBuilder table = new TableBuilder(heading, start, expectedUnit, check, listener);
        open.add(table);
        return table;
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    ParsedBenchmarks finish() {
        List<BenchmarkReport> reports = open.stream().map(TableBuilder::build).toList();
        List<Finding> all = new ArrayList<>(findings);
        reports.forEach(report -> all.addAll(report.findings()));
        return new ParsedBenchmarks(reports, all);
    }
}
