package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.RowFormat.Column;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * OSU Micro-Benchmarks 2 to 7: rates are 10^6 B/s, a collective's single time is the mean over ranks. Version 2 prints rates with six
 * decimals.
 */
final class OsuParser extends TitledParser {
    private static final Pattern TITLE =
            Pattern.compile("\\s*#\\s*OSU (?:MPI(?:-\\w+)?\\s+)?(.+?) Test(?: \\(Version (\\S+)\\)| v?(\\S*))\\s*");
    private static final Pattern HEADER =
            Pattern.compile("\\s*#\\s*(?:Size(?:\\t|\\s{2,}).*|(?:Avg )?Latency ?\\(us\\).*|Overall\\(us\\).*)");
    private static final Map<String, Column> COLUMNS = Map.ofEntries(
            Map.entry("Size", Column.whole(Measure.BYTES)),
            Map.entry("Latency (us)", Column.number(Measure.LATENCY, 2)),
            Map.entry("Avg Latency(us)", Column.number(Measure.AVERAGE, 2)),
            Map.entry("Min Latency(us)", Column.number(Measure.MIN, 2)),
            Map.entry("Max Latency(us)", Column.number(Measure.MAX, 2)),
            Map.entry("P50 Tail Lat(us)", Column.number(Measure.MEDIAN, 2)),
            Map.entry("P90 Tail Lat(us)", Column.number(Measure.PERCENTILE_90, 2)),
            Map.entry("P99 Tail Lat(us)", Column.number(Measure.PERCENTILE_99, 2)),
            Map.entry("Iterations", Column.whole(Measure.REPETITIONS)),
            Map.entry("Bandwidth (MB/s)", Column.number(Measure.RATE, 2)),
            Map.entry("Bi-Bandwidth (MB/s)", Column.number(Measure.RATE, 2)),
            Map.entry("MB/s", Column.number(Measure.RATE, 2)),
            Map.entry("Messages/s", Column.number(Measure.MESSAGE_RATE, Column.ANY)),
            Map.entry("Validation", new Column(null, Column.VERDICT, 1)),
            Map.entry("Overall(us)", Column.number(Measure.OVERALL, 2)),
            Map.entry("Compute(us)", Column.number(Measure.COMPUTE, 2)),
            Map.entry("Pure Comm.(us)", Column.number(Measure.PURE, 2)),
            Map.entry("Overlap(%)", Column.number(Measure.OVERLAP, 2)));

    private String name = "";
    private String tool = "";
    private boolean sixDecimals;

    public OsuParser() {
        super(TITLE);
    }

    @Override
    void begin(Matcher titled) {
        name = titled.group(1);
        String older = titled.group(2);
        tool = "OSU Micro-Benchmarks " + (older == null ? titled.group(3) : older);
        sixDecimals = older != null;
    }

    @Override
    boolean namesColumns(String text) {
        return !name.isEmpty() && HEADER.matcher(text).matches();
    }

    @Override
    List<Column> columns(String text) {
        return Stream.of(text.replaceFirst("#", "").strip().split("\\t\\s*|\\s{2,}"))
                .map(this::column)
                .toList();
    }

    @Override
    TableBuilder open(Line columns, Tables tables) {
        boolean pair = traffic() == CommunicationPattern.PING_PONG || name.equals("Bandwidth");
        TableBuilder.Heading heading = new TableBuilder.Heading(
                BenchmarkFormat.OSU, tool, name, traffic(), pair ? OptionalInt.of(2) : OptionalInt.empty());
        return tables.open(heading, columns, RateUnit.MEGABYTE_PER_SECOND, null);
    }

    private Column column(String title) {
        boolean mean = title.equals("Avg Latency(us)") && traffic() == CommunicationPattern.PING_PONG;
        Column column = COLUMNS.get(mean ? "Latency (us)" : title);
        if (column == null) {
            unread.add(title);
            return Column.ignored();
        }
        return sixDecimals && column.measure() == Measure.RATE
                ? Column.number(Measure.RATE, Column.TWO_OR_SIX)
                : column;
    }

    private CommunicationPattern traffic() {
        if (name.equals("Latency")) {
            return CommunicationPattern.PING_PONG;
        }
        if (name.startsWith("Bi-Directional") || name.startsWith("Bidirectional")) {
            return CommunicationPattern.EXCHANGE;
        }
        return List.of("Bandwidth", "Multiple Bandwidth / Message Rate").contains(name)
                ? CommunicationPattern.STREAM
                : CommunicationPattern.COLLECTIVE;
    }
}
