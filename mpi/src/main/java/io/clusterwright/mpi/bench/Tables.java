package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tables found so far, in the order they began. */
final class Tables {
    private final Consumer<BenchmarkRow> listener;
    private final List<TableBuilder> open = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private String node = "";

    public Tables(Consumer<BenchmarkRow> listener) {
        this.listener = listener;
    }

    TableBuilder open(TableBuilder.Heading heading, Line start, RateUnit expectedUnit, @Nullable RateCheck check) {
        TableBuilder table = new TableBuilder(heading, node, start, expectedUnit, check, listener);
        open.add(table);
        return table;
    }

    /** Sets the node that printed the lines from here on; empty where it is not known. */
    void setNode(String name) {
        node = name;
    }

    /** Adds a finding about a line of no table. */
    void add(MpiFinding kind, Line line, Object... values) {
        findings.add(kind.at("line " + line.number(), values));
    }

    /** Adds a finding that quotes the line. */
    void addQuote(MpiFinding kind, Line line) {
        add(kind, line, shorten(line));
    }

    static String shorten(Line line) {
        return PrintableText.of(line.text().strip(), 80);
    }

    public Benchmarks finish() {
        boolean severalNodes = open.stream().map(TableBuilder::node).distinct().count() > 1;
        List<BenchmarkReport> reports =
                open.stream().map(table -> table.build(severalNodes)).toList();
        List<Finding> all = new ArrayList<>(findings);
        reports.forEach(report -> all.addAll(report.findings()));
        return new Benchmarks(reports, all);
    }

    /** Reads the tables of one tool out of lines that may hold anything else as well. */
    interface FormatParser {

        /** Takes the next line; every parser sees every line. */
        void accept(Line line, Tables tables);
    }

    /**
     * Confirms a rate by arithmetic: bytes divided by time.
     *
     * @param bytesFactor how many times the message size passes per printed time (Sendrecv 2, Exchange 4)
     * @param time the column the rate was computed from
     * @param units what the rate may be in
     */
    record RateCheck(double bytesFactor, Measure time, List<RateUnit> units) {
        private static final double ROUNDING = 0.005;
        private static final double SLACK = 0.01;

        /** Whether the row's rate is what its bytes and time give, in this unit, as far as the printed digits tell. */
        boolean agrees(Map<Measure, Double> row, RateUnit unit) {
            double expected = row.getOrDefault(Measure.BYTES, 0.0) * bytesFactor / seconds(row);
            double printed = row.getOrDefault(Measure.RATE, 0.0);
            double actual = unit.toBytesPerSecond(printed);
            double allowed = expected * (error(row) + SLACK) + unit.toBytesPerSecond(ROUNDING);
            return Math.abs(actual - expected) <= allowed;
        }

        boolean agrees(Map<Measure, Double> row) {
            return !checkable(row) || units.stream().anyMatch(unit -> agrees(row, unit));
        }

        boolean checkable(Map<Measure, Double> row) {
            return row.containsKey(Measure.BYTES) && row.containsKey(Measure.RATE) && row.getOrDefault(time, 0.0) > 0;
        }

        /** Whether the printed digits are enough to tell MiB from MB, which are 5 % apart. */
        boolean telling(Map<Measure, Double> row) {
            double rate = row.getOrDefault(Measure.RATE, 0.0);
            return checkable(row) && rate > 0 && error(row) + ROUNDING / rate < SLACK;
        }

        private double error(Map<Measure, Double> row) {
            return ROUNDING / row.getOrDefault(time, 0.0);
        }

        private double seconds(Map<Measure, Double> row) {
            return row.getOrDefault(time, 0.0) / 1e6;
        }
    }
}
