package io.clusterwright.mpi.internal.bench;

import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.Measure;
import io.clusterwright.mpi.bench.RateUnit;
import io.clusterwright.mpi.internal.bench.RowFormat.Column;
import io.clusterwright.mpi.internal.bench.Tables.FormatParser;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.output.LineSplitter.Line;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** OSU Micro-Benchmarks 3 to 7: rates are 10^6 B/s, a collective's single time is the mean over ranks. */
public final class OsuParser implements FormatParser {
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
    private @Nullable RowFormat format;
    private @Nullable TableBuilder table;

    @Override
    public void accept(Line line, Tables tables) {
        String text = line.text();
        Matcher title = TITLE.matcher(text);
        if (title.matches()) {
            name = title.group(1);
            tool = "OSU Micro-Benchmarks " + title.group(2);
            format = null;
        } else if (!name.isEmpty() && HEADER.matcher(text).matches()) {
            open(line, tables);
        } else if (format != null && table != null && !text.isBlank()) {
            table.accept(line, format);
        }
    }

    private void open(Line line, Tables tables) {
        CommunicationPattern traffic = traffic();
        RowFormat columns = new RowFormat(
                Stream.of(line.text().replaceFirst("#", "").strip().split("\\s{2,}"))
                        .map(title -> column(title, traffic))
                        .toList());
        format = columns.measuresSomething() ? columns : null;
        if (format == null) {
            tables.addQuote(MpiFinding.UNKNOWN_COLUMNS, line);
            return;
        }
        OptionalInt processes = traffic == CommunicationPattern.PING_PONG || name.equals("Bandwidth")
                ? OptionalInt.of(2)
                : OptionalInt.empty();
        TableBuilder.Heading heading = new TableBuilder.Heading("osu", tool, name, traffic, processes);
        table = tables.open(heading, line, RateUnit.MEGABYTE_PER_SECOND, null);
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
