package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.RowFormat.Column;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * perftest ({@code ib_write_bw}, {@code ib_write_lat} and kin): {@code MB/sec} is MiB/s, latency is the typical time. Rates below 0.1 Gb/s
 * have six decimals ({@code REPORT_FMT_EXT}).
 */
final class PerftestParser extends TitledParser {
    private static final Pattern TITLE = Pattern.compile("\\s+(\\S.*(?:BW|Latency)) Test\\s*");
    private static final Pattern TITLES =
            Pattern.compile("#\\w+|[\\w.%]+(?: [\\w.%]+)*" + "\\[(?:%|[KMG]i?[Bb]/sec|[KMG]?pps|usec)]|tps average");

    private static final Column MESSAGES = new Column(Measure.MESSAGE_RATE, Column.THREE_OR_SIX, 1e6);
    /** A peak that is no number, behind the size and the iterations. */
    private static final Pattern UNMEASURED = Pattern.compile("^(\\s*\\d+\\s+\\d+\\s+)-?(?:inf|nan)(?=\\s)");

    private String name = "";
    private boolean byServiceLevel;
    private double lastBytes;

    public PerftestParser() {
        super(TITLE);
    }

    @Override
    void begin(Matcher titled) {
        name = titled.group(1);
        lastBytes = 0;
    }

    @Override
    boolean namesColumns(String text) {
        return text.contains("#bytes") && text.contains("#iterations");
    }

    @Override
    List<Column> columns(String text) {
        byServiceLevel = text.contains("#sl");
        Matcher titles = TITLES.matcher(text);
        return titles.replaceAll("").isBlank()
                ? titles.reset()
                        .results()
                        .map(MatchResult::group)
                        .map(this::column)
                        .toList()
                : List.of();
    }

    @Override
    TableBuilder open(Line columns, Tables tables) {
        RateUnit unit = columns.text().contains("Gb/sec") ? RateUnit.GIGABIT_PER_SECOND : RateUnit.MIB_PER_SECOND;
        CommunicationPattern sending =
                name.contains("Bidirectional") ? CommunicationPattern.EXCHANGE : CommunicationPattern.STREAM;
        TableBuilder.Heading heading = new TableBuilder.Heading(
                BenchmarkFormat.PERFTEST,
                "perftest",
                name.isEmpty() ? "unknown" : name,
                columns.text().contains("t_typical") ? CommunicationPattern.PING_PONG : sending,
                OptionalInt.empty());
        return tables.open(heading, columns, unit, null);
    }

    @Override
    boolean endsTable(String text) {
        return text.startsWith("-----");
    }

    /**
     * A peak of 0.00 or {@code inf} beside an average means that it was not measured. A size has a row for each service level, and with
     * {@code --run_infinitely} a row for each span of time.
     */
    @Override
    void row(Line line, RowFormat columns, TableBuilder rows) {
        Map<Measure, Double> values = parse(line, columns);
        if (values.isEmpty()) {
            rows.accept(line, columns);
            return;
        }
        Map<Measure, Double> measured = new EnumMap<>(values);
        if (values.getOrDefault(Measure.PEAK_RATE, 1.0) == 0) {
            measured.remove(Measure.PEAK_RATE);
        }
        double bytes = values.getOrDefault(Measure.BYTES, 0.0);
        boolean again = bytes == lastBytes;
        lastBytes = bytes;
        if (byServiceLevel || again) {
            rows.addPair(line, measured, List.of());
        } else {
            rows.add(line, measured);
        }
    }

    /** Some versions print the rate of messages under no title. */
    private static Map<Measure, Double> parse(Line line, RowFormat columns) {
        Line plain = new Line(line.number(), UNMEASURED.matcher(line.text()).replaceFirst("$10.00"), line.complete());
        return columns.parse(plain)
                .or(() -> {
                    boolean untitled =
                            columns.columns().get(columns.columns().size() - 1).measure() == Measure.RATE;
                    return untitled
                            ? new RowFormat(Stream.concat(columns.columns().stream(), Stream.of(MESSAGES))
                                            .toList())
                                    .parse(plain)
                            : Optional.empty();
                })
                .orElse(Map.of());
    }

    private Column column(String title) {
        int bracket = title.indexOf('[');
        return switch (bracket < 0 ? title : title.substring(0, bracket)) {
            case "#bytes" -> Column.whole(Measure.BYTES);
            case "#iterations" -> Column.whole(Measure.REPETITIONS);
            case "BW peak" -> Column.number(Measure.PEAK_RATE, Column.TWO_OR_SIX);
            case "BW average" -> Column.number(Measure.RATE, Column.TWO_OR_SIX);
            case "MsgRate" -> MESSAGES;
            case "t_min" -> Column.number(Measure.MIN, 2);
            case "t_max" -> Column.number(Measure.MAX, 2);
            case "t_typical" -> Column.number(Measure.LATENCY, 2);
            case "t_avg" -> Column.number(Measure.AVERAGE, 2);
            case "t_stdev" -> Column.number(Measure.DEVIATION, 2);
            case "99% percentile" -> Column.number(Measure.PERCENTILE_99, 2);
            case "99.9% percentile" -> Column.number(Measure.PERCENTILE_99_9, 2);
            default -> {
                unread.add(title);
                yield Column.ignored();
            }
        };
    }

    /** ucx_perftest: the {@code Final:} line of each test; latency and rate are those over the whole run, in MiB/s. */
    static final class UcxPerftestParser implements FormatParser {
        private static final Pattern TEST = Pattern.compile("\\|\\s*Test:\\s+(.*?)\\s*\\|");
        private static final Pattern HEADER = Pattern.compile("\\|.*\\b(latency|overhead) \\(usec\\).*");
        private static final RowFormat FINAL = new RowFormat(List.of(
                Column.whole(Measure.REPETITIONS),
                Column.number(Measure.MEDIAN, 3),
                Column.number(Measure.AVERAGE, 3),
                Column.number(Measure.LATENCY, 3),
                new Column(null, 2, 1),
                Column.number(Measure.RATE, 2),
                new Column(null, Column.ANY, 1),
                Column.number(Measure.MESSAGE_RATE, 0)));

        private String name = "";
        private String kind = "";
        private @Nullable TableBuilder table;

        @Override
        public void accept(Line line, Tables tables) {
            String text = line.text();
            Matcher test = TEST.matcher(text);
            Matcher header = HEADER.matcher(text);
            if (test.matches()) {
                name = test.group(1);
            } else if (header.matches()) {
                kind = header.group(1);
                table = tables.open(heading(), line, RateUnit.MIB_PER_SECOND, null);
            } else if (table != null && text.startsWith("Final:")) {
                Line rest = new Line(line.number(), text.substring("Final:".length()), line.complete());
                table.accept(rest, FINAL);
            }
        }

        private TableBuilder.Heading heading() {
            return new TableBuilder.Heading(
                    BenchmarkFormat.UCX_PERFTEST,
                    "ucx_perftest",
                    name.isEmpty() ? kind : name,
                    kind.equals("latency") ? CommunicationPattern.PING_PONG : CommunicationPattern.STREAM,
                    OptionalInt.empty());
        }
    }
}
