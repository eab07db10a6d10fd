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

/** OSU Micro-Benchmarks 3 to 7: rates are 10^6 B/s, a collective's single time is the mean over ranks. */
final class OsuParser extends TitledParser {
    private static final Pattern TITLE = Pattern.compile("#\\s*OSU (?:MPI(?:-\\w+)?\\s+)?(.+?) Test v?(\\S*)\\s*");
    private static final Pattern HEADER =
            Pattern.compile("#\\s*(?:Size\\s{2,}.*|(?:Avg )?Latency ?\\(us\\).*|Overall\\(us\\).*)");
    private static final Map<String, Column> COLUMNS = Map.ofEntries(
            Map.entry("Size", Column.whole(Measure.BYTES)),
            Map.entry("Latency (us)", Column.number(Measure.LATENCY, 2)),
            Map.entry("Avg Latency(us)", Column.number(Measure.AVERAGE, 2)),
            Map.entry("Min Latency(us)", Column.number(Measure.MIN, 2)),
            Map.entry("Max Latency(us)", Column.number(Measure.MAX, 2)),
            Map.entry("Iterations", Column.whole(Measure.REPETITIONS)),
            Map.entry("Bandwidth (MB/s)", Column.number(Measure.RATE, 2)),
            Map.entry("MB/s", Column.number(Measure.RATE, 2)),
            Map.entry("Messages/s", Column.number(Measure.MESSAGE_RATE, Column.ANY)),
            Map.entry("Validation", new Column(null, Column.VERDICT, 1)),
            Map.entry("Overall(us)", Column.number(Measure.OVERALL, 2)),
            Map.entry("Compute(us)", Column.number(Measure.COMPUTE, 2)),
            Map.entry("Pure Comm.(us)", Column.number(Measure.PURE, 2)),
            Map.entry("Overlap(%)", Column.number(Measure.OVERLAP, 2)));

    private String name = "";
    private String tool = "";

    public OsuParser() {
        super(TITLE);
    }

    @Override
    void begin(Matcher titled) {
        name = titled.group(1);
        tool = "OSU Micro-Benchmarks " + titled.group(2);
    }

    @Override
    boolean namesColumns(String text) {
        return !name.isEmpty() && HEADER.matcher(text).matches();
    }

    @Override
    List<Column> columns(String text) {
        return Stream.of(text.replaceFirst("#", "").strip().split("\\s{2,}"))
                .map(title -> column(title, traffic()))
                .toList();
    }

    @Override
    TableBuilder open(Line columns, Tables tables) {
        boolean pair = traffic() == CommunicationPattern.PING_PONG || name.equals("Bandwidth");
        TableBuilder.Heading heading = new TableBuilder.Heading(
                BenchmarkFormat.OSU, tool, name, traffic(), pair ? OptionalInt.of(2) : OptionalInt.empty());
        return tables.open(heading, columns, RateUnit.MEGABYTE_PER_SECOND, null);
    }

    private static Column column(String title, CommunicationPattern traffic) {
        boolean mean = title.equals("Avg Latency(us)") && traffic == CommunicationPattern.PING_PONG;
        return COLUMNS.getOrDefault(mean ? "Latency (us)" : title, Column.ignored());
    }

    private CommunicationPattern traffic() {
        if (name.equals("Latency")) {
            return CommunicationPattern.PING_PONG;
        }
        if (name.startsWith("Bi-Directional")) {
            return CommunicationPattern.EXCHANGE;
        }
        return List.of("Bandwidth", "Multiple Bandwidth / Message Rate").contains(name)
                ? CommunicationPattern.STREAM
                : CommunicationPattern.COLLECTIVE;
    }
}
