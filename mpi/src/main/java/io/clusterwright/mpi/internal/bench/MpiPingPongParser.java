package io.clusterwright.mpi.internal.bench;

import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.Measure;
import io.clusterwright.mpi.internal.bench.Tables.FormatParser;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.output.LineSplitter.Line;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Microsoft's {@code mpipingpong}, whose output is not published: once its name has been seen, a number is read where its line says what
 * it is and in which unit. A finding says so.
 */
public final class MpiPingPongParser implements FormatParser {
    private static final Pattern NAME = Pattern.compile("(?i)(?:^|[^a-z0-9])mpipingpong(?:$|[^a-z0-9])");
    private static final Pattern READING = Pattern.compile(
            "(?i)\\b(latency|throughput|bandwidth)\\b[^0-9]{0,60}?"
                    + "(?<![0-9.])(\\d{1,12}(?:\\.\\d{1,9})?)\\s*"
                    + "(us|usec|usecs|microseconds?|ms|msec|milliseconds?|MB/s|MB/sec|MBytes/sec|megabytes/second)(?![A-Za-z0-9/])");
    private static final Pattern PACKET =
            Pattern.compile("(?i)\\bpacket[ _-]?size\\b[^0-9]{0,20}?(\\d{1,12})\\s*(?:bytes?)?\\s*");
    private static final TableBuilder.Heading HEADING = new TableBuilder.Heading(
            BenchmarkFormat.MPIPINGPONG,
            "mpipingpong",
            "mpipingpong",
            CommunicationPattern.EXCHANGE,
            OptionalInt.empty());

    private boolean named;
    private @Nullable Double bytes;
    private @Nullable TableBuilder table;

    @Override
    public void accept(Line line, Tables tables) {
        String text = line.text();
        if (NAME.matcher(text).find()) {
            named = true;
            table = null;
            bytes = null;
        }
        if (!named) {
            return;
        }
        Matcher packet = PACKET.matcher(text);
        if (packet.find() && line.complete()) {
            bytes = Double.valueOf(packet.group(1));
            table = null;
        }
        Matcher reading = READING.matcher(text);
        if (reading.find() && line.complete()) {
            TableBuilder current = table;
            if (current == null) {
                current = tables.open(HEADING, line, RateUnit.MEGABYTE_PER_SECOND, null);
                current.add(MpiFinding.UNPROVEN_FORMAT, line);
                table = current;
            }
            current.addUnordered(line, values(reading));
        }
    }

    private Map<Measure, Double> values(Matcher reading) {
        double number = Double.parseDouble(reading.group(2));
        String unit = reading.group(3).toLowerCase(Locale.ROOT);
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        if (bytes != null) {
            values.put(Measure.BYTES, bytes);
        }
        boolean rate = unit.startsWith("mb") || unit.startsWith("mega");
        values.put(
                rate ? Measure.RATE : Measure.LATENCY,
                !rate && unit.startsWith("m") && !unit.startsWith("mic") ? number * 1000 : number);
        return values;
    }
}
