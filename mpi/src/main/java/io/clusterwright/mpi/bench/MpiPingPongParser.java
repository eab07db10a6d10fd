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
 * Microsoft's {@code mpipingpong -p SIZE:ITERATIONS -op -s nul}: a row for each pair of nodes.
 *
 * <p>This table is the only output that is published, in the pictures of the Azure article about RDMA clusters of HPC Pack
 * (wacn-crowdsource/techcontent {@code articles/media/virtual-machines-windows-hpcpack-cluster-rdma/pingpong1.png} and
 * {@code pingpong2.png} @e6f39c0). Its {@code MB/sec} are 2<sup>20</sup> bytes per second, as its sizes and times show. Tables with other
 * columns or units, and the XML of the file, are not published: they are not read, and a finding says so.
 */
final class MpiPingPongParser implements FormatParser {
    private static final Pattern TEST =
            Pattern.compile("Testing packet size (\\d{1,10}) \\((\\d{1,10}) iterations per link\\)");
    private static final Pattern TITLES = Pattern.compile("Ping Node +Pong Node +Latency +Throughput");
    private static final Pattern UNITS = Pattern.compile("\\(usec\\) +\\(MB/sec\\)");
    private static final Pattern RULE = Pattern.compile("-{20,}");
    private static final Pattern ROW = Pattern.compile(
            "([A-Za-z0-9._-]{1,253}) +([A-Za-z0-9._-]{1,253}) +(\\d{1,12}[.,]\\d{3}) +(\\d{1,12}[.,]\\d{3})");
    private static final Pattern CUT = Pattern.compile(
            "[A-Za-z0-9._-]{1,253} +(?=[0-9._-]*[A-Za-z])[A-Za-z0-9._-]{1,253} +(?:\\d\\S*|failed)(?: +\\S+)?");
    private static final TableBuilder.Heading HEADING = new TableBuilder.Heading(
            BenchmarkFormat.MPIPINGPONG,
            "mpipingpong",
            "mpipingpong",
            CommunicationPattern.PING_PONG,
            OptionalInt.empty());
    private static final RateCheck RATES =
            new RateCheck(1, Measure.LATENCY, List.of(RateUnit.MIB_PER_SECOND, RateUnit.MEGABYTE_PER_SECOND));

    private Stage stage = Stage.OUTSIDE;
    private double bytes;
    private double iterations;
    private @Nullable TableBuilder table;

    /** The part of the output that comes next. */
    private enum Stage {
        OUTSIDE,
        TITLES,
        UNITS,
        RULE,
        ROWS
    }

    @Override
    public void accept(Line line, Tables tables) {
        String text = line.text().strip();
        Matcher test = TEST.matcher(text);
        if (test.matches() && line.complete()) {
            bytes = Double.parseDouble(test.group(1));
            iterations = Double.parseDouble(test.group(2));
            stage = Stage.TITLES;
            return;
        }
        if (text.isEmpty()) {
            stage = stage == Stage.ROWS ? Stage.OUTSIDE : stage;
            return;
        }
        switch (stage) {
            case OUTSIDE -> {}
            case TITLES -> heading(TITLES, Stage.UNITS, line, tables);
            case UNITS -> heading(UNITS, Stage.RULE, line, tables);
            case RULE -> {
                heading(RULE, Stage.ROWS, line, tables);
                table = stage == Stage.ROWS ? tables.open(HEADING, line, RateUnit.MIB_PER_SECOND, RATES) : null;
            }
            case ROWS -> row(text, line);
        }
    }

    private void heading(Pattern published, Stage next, Line line, Tables tables) {
        if (published.matcher(line.text().strip()).matches()) {
            stage = next;
        } else {
            stage = Stage.OUTSIDE;
            if (line.complete()) {
                tables.addQuote(MpiFinding.UNPROVEN_FORMAT, line);
            }
        }
    }

    private void row(String text, Line line) {
        TableBuilder open = table;
        Matcher row = ROW.matcher(text);
        if (open != null && row.matches() && line.complete()) {
            Map<Measure, Double> values = new EnumMap<>(Measure.class);
            values.put(Measure.BYTES, bytes);
            values.put(Measure.REPETITIONS, iterations);
            values.put(Measure.LATENCY, number(row.group(3)));
            values.put(Measure.RATE, number(row.group(4)));
            open.addPair(line, values, List.of(row.group(1), row.group(2)));
        } else if (open != null && CUT.matcher(text).matches()) {
            open.addQuote(MpiFinding.CUT_ROW, line);
        }
    }

    /** The point is a comma where Windows is set so; a rate that contradicts its time shows a comma that means thousands. */
    private static double number(String digits) {
        return Double.parseDouble(digits.replace(',', '.'));
    }
}
