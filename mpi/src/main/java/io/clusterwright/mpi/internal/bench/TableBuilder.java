package io.clusterwright.mpi.internal.bench;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Measure;
import io.clusterwright.mpi.bench.RateUnit;
import io.clusterwright.mpi.internal.bench.Tables.RateCheck;
import io.clusterwright.mpi.internal.output.LineSplitter.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table while it is read: checks each row, and decides on the unit of its rates once it is complete. */
final class TableBuilder {
    private final Heading heading;
    private final Line start;
    private final RateUnit expectedUnit;
    private final @Nullable RateCheck check;
    private final Consumer<BenchmarkRow> listener;
    private final List<Entry> entries = new ArrayList<>();
    private final List<BenchmarkRow> contradictory = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private double lastBytes = -1;

    TableBuilder(
            Heading heading,
            Line start,
            RateUnit expectedUnit,
            @Nullable RateCheck check,
            Consumer<BenchmarkRow> listener) {
        this.heading = heading;
        this.start = start;
        this.expectedUnit = expectedUnit;
        this.check = check;
        this.listener = listener;
    }

    void accept(Line line, RowFormat format) {
        Map<Measure, Double> values = format.parse(line).orElse(null);
        if (values == null) {
            if (format.resembles(line)) {
                findings.add(BenchFindings.cutRow(line));
            }
            return;
        }
        add(line, values);
        if (format.validationFailed(line)) {
            findings.add(BenchFindings.validationFailed(line));
        }
    }

    void add(Line line, Map<Measure, Double> values) {
        Double bytes = values.get(Measure.BYTES);
        if (bytes != null && bytes <= lastBytes) {
            findings.add(BenchFindings.outOfOrder(line));
            return;
        }
        if (check != null && !check.agrees(values)) {
            leaveOut(line, values);
            return;
        }
        if (bytes != null) {
            lastBytes = bytes;
        }
        Entry entry = new Entry(line, values);
        entries.add(entry);
        listener.accept(new BenchmarkRow(values, unitOf(entry)));
    }

    /** Adds a row of a format whose rows are readings of one size rather than a series of sizes. */
    void addUnordered(Line line, Map<Measure, Double> values) {
        lastBytes = -1;
        add(line, values);
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    BenchmarkReport build() {
        RateUnit unit = check == null ? expectedUnit : decide(check);
        List<BenchmarkRow> rows = new ArrayList<>();
        for (Entry entry : entries) {
            if (check != null && check.checkable(entry.values) && !check.agrees(entry.values, unit)) {
                leaveOut(entry.line, entry.values);
            } else {
                rows.add(new BenchmarkRow(entry.values, unit));
            }
        }
        return new BenchmarkReport(
                heading.format,
                heading.tool,
                heading.benchmark,
                heading.traffic,
                heading.processes,
                rows,
                contradictory,
                findings);
    }

    private void leaveOut(Line line, Map<Measure, Double> values) {
        contradictory.add(new BenchmarkRow(values, expectedUnit));
        findings.add(BenchFindings.contradictoryRow(line));
    }

    private RateUnit decide(RateCheck rates) {
        RateUnit best = expectedUnit;
        long most = votes(rates, expectedUnit);
        for (RateUnit unit : rates.units()) {
            long votes = votes(rates, unit);
            if (votes > most) {
                best = unit;
                most = votes;
            }
        }
        if (best != expectedUnit) {
            findings.add(BenchFindings.unitDiffers(start, heading.tool, expectedUnit, best));
        }
        return best;
    }

    private long votes(RateCheck rates, RateUnit unit) {
        return entries.stream()
                .filter(entry -> rates.telling(entry.values) && rates.agrees(entry.values, unit))
                .count();
    }

    private RateUnit unitOf(Entry entry) {
        if (check == null || !check.telling(entry.values) || check.agrees(entry.values, expectedUnit)) {
            return expectedUnit;
        }
        return check.units().stream()
                .filter(unit -> check.agrees(entry.values, unit))
                .findFirst()
                .orElse(expectedUnit);
    }

    /** The heading of a table. */
    record Heading(
            BenchmarkFormat format,
            String tool,
            String benchmark,
            CommunicationPattern traffic,
            OptionalInt processes) {}

    private record Entry(Line line, Map<Measure, Double> values) {}
}
