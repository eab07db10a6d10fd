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
    private static final Pattern TITLE =
            Pattern.compile("\\s+(\\S.*(?:BW|Latency)(?: forwarding)?(?: Multicast)?) Test\\s*");
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

    /**
     * ucx_perftest: the {@code Final:} line of each test, or its only line ({@code -f}); latency and rate are those over the whole run, in
     * MiB/s. The last line of several threads ({@code -T}) has the mean latency of a thread and the rate of all. A test of a batch file
     * ({@code -b}) has a name, and its size is not printed.
     */
    static final class UcxPerftestParser implements FormatParser {
        private static final Pattern TEST = Pattern.compile("\\|\\s*Test:\\s+(.*?)\\s*\\|");
        private static final Pattern HEADER = Pattern.compile("\\|.*\\b(latency|overhead) \\(usec\\).*");
        private static final Pattern SIZE = Pattern.compile("\\|\\s*Message size:\\s+(\\d{1,18})\\s*\\|");
        private static final Pattern TITLES =
                Pattern.compile("\\|\\s*(Stage|Test)\\s*\\|\\s*# iterations\\s*\\|\\s*([\\d.]+)%ile.*");
        /** The name of a test of a batch file, written over the left end of a rule. */
        private static final Pattern NAMED = Pattern.compile("\\+[-+]*([^-+|\\s][^|\\s]*?)[-+]*");

        private static final Pattern ONLY = Pattern.compile("(?:(\\S+)\\s)?\\s+(\\d[\\d,]*(?:\\s+[\\d,.]+){3,7})\\s*");
        private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d),(?=\\d{3})");
        private static final Map<String, Measure> PERCENTILES = Map.of(
                "50.0", Measure.MEDIAN,
                "90.0", Measure.PERCENTILE_90,
                "99.0", Measure.PERCENTILE_99,
                "99.9", Measure.PERCENTILE_99_9);
        private static final RowFormat SEVERAL_THREADS = new RowFormat(List.of(
                Column.whole(Measure.REPETITIONS),
                Column.number(Measure.LATENCY, 3),
                Column.number(Measure.RATE, 2),
                Column.number(Measure.MESSAGE_RATE, 0)));

        private static RowFormat format(String percentile) {
            return new RowFormat(List.of(
                    Column.whole(Measure.REPETITIONS),
                    new Column(PERCENTILES.get(percentile), 3, 1),
                    Column.number(Measure.AVERAGE, 3),
                    Column.number(Measure.LATENCY, 3),
                    new Column(null, 2, 1),
                    Column.number(Measure.RATE, 2),
                    new Column(null, Column.ANY, 1),
                    Column.number(Measure.MESSAGE_RATE, 0)));
        }

        private String name = "";
        private String kind = "";
        private @Nullable Double bytes;
        private Line header = new Line(0, "", true);
        private RowFormat columns = format("50.0");
        /** Whether the name and the size were printed for the heading that comes next; another run need not print them. */
        private boolean described;

        private boolean onlyLine;
        private @Nullable TableBuilder table;
        private boolean named;
        private boolean used;

        @Override
        public void accept(Line line, Tables tables) {
            String text = line.text();
            Matcher test = TEST.matcher(text);
            Matcher size = SIZE.matcher(text);
            Matcher heading = HEADER.matcher(text);
            Matcher titles = TITLES.matcher(text);
            Matcher rule = NAMED.matcher(text);
            Matcher only = ONLY.matcher(text);
            if (test.matches()) {
                name = test.group(1);
                bytes = null;
                described = true;
                table = null;
            } else if (size.matches()) {
                bytes = Double.valueOf(size.group(1));
            } else if (heading.matches()) {
                kind = heading.group(1);
                header = line;
                name = described ? name : "";
                bytes = described ? bytes : null;
                described = false;
                open(tables);
            } else if (titles.matches()) {
                onlyLine = titles.group(1).equals("Test");
                columns = format(titles.group(2));
            } else if (table != null && rule.matches()) {
                begin(rule.group(1), table, tables);
            } else if (table != null && text.startsWith("Final:")) {
                row(line, text.substring("Final:".length()), table);
            } else if (table != null && onlyLine && only.matches()) {
                TableBuilder rows = only.group(1) == null ? table : begin(only.group(1), table, tables);
                row(line, only.group(2), rows);
            }
        }

        private TableBuilder open(Tables tables) {
            TableBuilder opened = tables.open(heading(), header, RateUnit.MIB_PER_SECOND, null);
            table = opened;
            named = false;
            used = false;
            return opened;
        }

        /** A test of a batch file: its options, and so its size, differ from the heading's. */
        private TableBuilder begin(String test, TableBuilder current, Tables tables) {
            TableBuilder rows = used || named ? open(tables) : current;
            named = true;
            rows.qualify(" (" + test + ")");
            return rows;
        }

        private void row(Line line, String numbers, TableBuilder rows) {
            used = true;
            Line plain = new Line(line.number(), THOUSANDS.matcher(numbers).replaceAll(""), line.complete());
            Optional<Map<Measure, Double>> values = columns.parse(plain).or(() -> SEVERAL_THREADS.parse(plain));
            if (values.isEmpty()) {
                rows.accept(plain, columns);
                return;
            }
            Map<Measure, Double> row = new EnumMap<>(values.get());
            if (bytes != null && !named) {
                row.put(Measure.BYTES, bytes);
            }
            rows.addPair(line, row, List.of());
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
