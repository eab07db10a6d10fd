package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.Tables.RateCheck;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table while it is read: checks each row, and decides on the unit of its rates once it is complete. */
final class TableBuilder {
    private final Heading heading;
    private final String node;
    private final Line start;
    private final RateUnit expectedUnit;
    private final @Nullable RateCheck check;
    private final Consumer<BenchmarkRow> listener;
    private final List<Entry> entries = new ArrayList<>();
    private final List<BenchmarkRow> contradictory = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private String qualifier = "";
    private double lastBytes = -1;
    private boolean anyOrder;

    TableBuilder(
            Heading heading,
            String node,
            Line start,
            RateUnit expectedUnit,
            @Nullable RateCheck check,
            Consumer<BenchmarkRow> listener) {
        this.heading = heading;
        this.node = node;
        this.start = start;
        this.expectedUnit = expectedUnit;
        this.check = check;
        this.listener = listener;
    }

    /** The node whose name stands before each line; empty where none does. */
    String node() {
        return node;
    }

    /** Distinguishes this table from others of its benchmark, such as {@code " (float, sum)"}; a later word replaces an earlier one. */
    void qualify(String words) {
        qualifier = words;
    }

    String qualifier() {
        return qualifier;
    }

    /** Sets whether the tool prints sizes in an order that its user chose. */
    void readAnyOrder(boolean any) {
        anyOrder = any;
    }

    void accept(Line line, RowFormat format) {
        Map<Measure, Double> values = format.parse(line).orElse(null);
        if (values == null) {
            if (format.resembles(line)) {
                addQuote(MpiFinding.CUT_ROW, line);
            }
            return;
        }
        add(line, values);
        if (format.validationFailed(line)) {
            addQuote(MpiFinding.VALIDATION_FAILED, line);
        }
    }

    void add(Line line, Map<Measure, Double> values) {
        add(line, values, List.of());
    }

    private void add(Line line, Map<Measure, Double> values, List<String> nodes) {
        Double bytes = values.get(Measure.BYTES);
        boolean proven = check != null && check.checkable(values) && check.agrees(values);
        if (bytes != null && bytes <= lastBytes && !anyOrder && !proven) {
            addQuote(MpiFinding.OUT_OF_ORDER, line);
            return;
        }
        if (check != null && !check.agrees(values)) {
            leaveOut(line, values, nodes);
            return;
        }
        if (bytes != null) {
            lastBytes = bytes;
        }
        Entry entry = new Entry(line, values, nodes);
        entries.add(entry);
        listener.accept(new BenchmarkRow(values, unitOf(entry), nodes));
    }

    /** Adds the row of a pair of nodes: all rows of such a table have one size. */
    void addPair(Line line, Map<Measure, Double> values, List<String> nodes) {
        lastBytes = -1;
        add(line, values, nodes);
    }

    void add(MpiFinding kind, Line line, Object... values) {
        findings.add(kind.at("line " + line.number(), values));
    }

    /** Adds a finding that quotes the line. */
    void addQuote(MpiFinding kind, Line line) {
        add(kind, line, Tables.shorten(line));
    }

    BenchmarkReport build(boolean namesNode) {
        RateUnit unit = check == null ? expectedUnit : decide(check);
        List<BenchmarkRow> rows = new ArrayList<>();
        for (Entry entry : entries) {
            if (check != null && check.checkable(entry.values) && !check.agrees(entry.values, unit)) {
                leaveOut(entry.line, entry.values, entry.nodes);
            } else {
                rows.add(new BenchmarkRow(entry.values, unit, entry.nodes));
            }
        }
        return new Table(
                heading.format,
                heading.tool,
                heading.benchmark + qualifier + (namesNode && !node.isEmpty() ? " on " + node : ""),
                heading.traffic,
                heading.processes,
                heading.machines,
                List.copyOf(rows),
                List.copyOf(contradictory),
                List.copyOf(findings));
    }

    private void leaveOut(Line line, Map<Measure, Double> values, List<String> nodes) {
        contradictory.add(new BenchmarkRow(values, expectedUnit, nodes));
        addQuote(MpiFinding.CONTRADICTORY_ROW, line);
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
            add(MpiFinding.UNIT_DIFFERS, start, heading.tool, expectedUnit.symbol(), best.symbol());
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
            OptionalInt processes,
            OptionalInt machines) {
        Heading(
                BenchmarkFormat format,
                String tool,
                String benchmark,
                CommunicationPattern traffic,
                OptionalInt processes) {
            this(format, tool, benchmark, traffic, processes, OptionalInt.empty());
        }
    }

    private record Table(
            BenchmarkFormat format,
            String tool,
            String benchmark,
            CommunicationPattern traffic,
            OptionalInt processes,
            OptionalInt machines,
            List<BenchmarkRow> rows,
            List<BenchmarkRow> contradictory,
            List<Finding> findings)
            implements BenchmarkReport {
        @Override
        public String toTable() {
            return BenchmarkTable.format(this);
        }

        @Override
        public Map<String, Object> toMap(Verdict verdict) {
            return BenchmarkJson.of(this, verdict);
        }

        @Override
        public String toSvg(String title, String subtitle, List<LatencyEnvelope> limits) {
            return rows.stream().anyMatch(row -> !row.nodes().isEmpty())
                    ? new PairBars(this, title, subtitle).toSvg()
                    : new PingPongPlot(this, title, subtitle, limits).toSvg();
        }

        @Override
        public String toString() {
            return tool + " " + benchmark + ", " + rows.size() + " rows";
        }
    }

    private record Entry(Line line, Map<Measure, Double> values, List<String> nodes) {}
}
