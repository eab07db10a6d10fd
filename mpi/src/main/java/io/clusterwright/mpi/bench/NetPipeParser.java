package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import io.clusterwright.mpi.bench.Tables.RateCheck;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * NetPIPE 3: {@code   0:       1 bytes  12062 times -->      0.62 Mbps in      12.24 usec}. Its rate is 2^20 bit/s. Our own
 * program in Java prints the same rows under a different title.
 */
final class NetPipeParser implements FormatParser {
    private static final Pattern ROW = Pattern.compile(
            "\\s*(\\d+):\\s+(\\d+) bytes\\s+(\\d+) times -->\\s+(\\d+\\.\\d+) Mbps in\\s+(\\d+\\.\\d+) usec\\s*");
    private static final Pattern BEGINNING = Pattern.compile("\\s*\\d+:\\s+\\d+ bytes\\b.*");
    private static final Pattern OWN_TITLE = Pattern.compile("# (Clusterwright Java ping-pong) over .+");
    private static final RateCheck CHECK = new RateCheck(1, Measure.LATENCY, List.of(RateUnit.MEBIBIT_PER_SECOND));

    private @Nullable TableBuilder table;
    private String tool = "NetPIPE";

    @Override
    public void accept(Line line, Tables tables) {
        Matcher title = OWN_TITLE.matcher(line.text());
        if (title.matches()) {
            tool = title.group(1);
            table = null;
            return;
        }
        Matcher row = ROW.matcher(line.text());
        boolean complete = row.matches();
        if (!complete && !BEGINNING.matcher(line.text()).matches()) {
            return;
        }
        TableBuilder current = table;
        if (current == null || (complete && row.group(1).equals("0"))) {
            current = tables.open(heading(), line, RateUnit.MEBIBIT_PER_SECOND, CHECK);
            table = current;
        }
        if (complete) {
            Map<Measure, Double> values = new EnumMap<>(Measure.class);
            values.put(Measure.BYTES, Double.valueOf(row.group(2)));
            values.put(Measure.REPETITIONS, Double.valueOf(row.group(3)));
            values.put(Measure.RATE, Double.valueOf(row.group(4)));
            values.put(Measure.LATENCY, Double.valueOf(row.group(5)));
            current.add(line, values);
        } else {
            current.addQuote(MpiFinding.CUT_ROW, line);
        }
    }

    private TableBuilder.Heading heading() {
        return new TableBuilder.Heading(
                BenchmarkFormat.NETPIPE, tool, "PingPong", CommunicationPattern.PING_PONG, OptionalInt.of(2));
    }
}
