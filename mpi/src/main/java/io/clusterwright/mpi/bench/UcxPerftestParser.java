package io.clusterwright.mpi.bench;

import io.clusterwright.mpi.internal.output.Line;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** ucx_perftest: the {@code Final:} line of each test; latency and rate are those over the whole run, in MiB/s. */
final class UcxPerftestParser implements FormatParser {
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
