package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.RowFormat.Column;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import io.clusterwright.mpi.bench.Tables.RateCheck;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Intel MPI Benchmarks, all tables whose columns are named above them.
 *
 * <p>{@code Mbytes/sec} is MiB/s up to version 4 and 10^6 B/s from 2018 on; the title decides and arithmetic checks.
 */
final class ImbParser implements FormatParser {
    private static final Pattern TITLE =
            Pattern.compile("(Intel ?\\(R\\) MPI Benchmark(?:s| Suite) V?(\\d{1,9})[^,#]*)");
    private static final Pattern NAME = Pattern.compile("# Benchmarking (\\S+)\\s*");
    private static final Pattern PROCESSES = Pattern.compile("# #processes = (\\d{1,9})(?: \\(threads: \\d+\\))?\\s*");
    private static final Pattern GROUPS = Pattern.compile("# \\( ?\\d+ groups of (\\d{1,9}) processes.*");
    private static final Pattern INVALID = Pattern.compile("# !! Benchmark (\\S+) invalid for (\\d+) processes !!\\s*");
    private static final Pattern MODE = Pattern.compile("#\\s+MODE: (AGGREGATE|NON-AGGREGATE)\\s*");
    private static final Pattern LENGTHS = Pattern.compile("# (?:Message|IO) lengths were user defined\\s*");
    /** Anything but zero in the last column; a number that is wider than the column touches the number before. */
    private static final Pattern WRONG =
            Pattern.compile("(\\d+\\.\\d\\d)?(?:-?(?:nan|inf)|(?!0*\\.?0*$)\\d+(?:\\.\\d*)?)");

    private static final Pattern NOTE =
            Pattern.compile("\\s*(\\d+)(?:\\s+\\d+)?\\s+([a-z]+(?:-[a-z]+)+)(?:\\.?;|\\.).*");
    private static final Map<String, Column> COLUMNS = Map.ofEntries(
            Map.entry("#bytes", Column.whole(Measure.BYTES)),
            Map.entry("#repetitions", Column.whole(Measure.REPETITIONS)),
            Map.entry("t[usec]", Column.number(Measure.LATENCY, 2)),
            Map.entry("t_min[usec]", Column.number(Measure.MIN, 2)),
            Map.entry("t_max[usec]", Column.number(Measure.MAX, 2)),
            Map.entry("t_avg[usec]", Column.number(Measure.AVERAGE, 2)),
            Map.entry("t_ovrl[usec]", Column.number(Measure.OVERALL, 2)),
            Map.entry("t_pure[usec]", Column.number(Measure.PURE, 2)),
            Map.entry("t_CPU[usec]", Column.number(Measure.COMPUTE, 2)),
            Map.entry("overlap[%]", Column.number(Measure.OVERLAP, 2)),
            Map.entry("Mbytes/sec", Column.number(Measure.RATE, 2)),
            Map.entry("Msg/sec", Column.number(Measure.MESSAGE_RATE, Column.ANY)),
            Map.entry("defects", Column.number(Measure.DEFECTS, 2)));
    private static final Map<String, Double> FACTORS =
            Map.of("PingPong", 1.0, "PingPing", 1.0, "Sendrecv", 2.0, "Exchange", 4.0);

    private String tool = "Intel MPI Benchmarks";
    private RateUnit unit = RateUnit.MEGABYTE_PER_SECOND;
    private String name = "";
    private String mode = "";
    private boolean anyOrder;
    private List<String> unread = List.of();
    private OptionalInt processes = OptionalInt.empty();
    private @Nullable RowFormat format;
    private boolean grouped;
    private Line header = new Line(0, "", true);
    private final Map<String, TableBuilder> groups = new HashMap<>();

    @Override
    public void accept(Line line, Tables tables) {
        String text = line.text();
        RowFormat current = format;
        if (text.stripLeading().startsWith("#") || text.stripLeading().startsWith("Group ")) {
            heading(line, text, tables);
        } else if (current != null && !text.isBlank()) {
            row(line, current, tables);
        }
    }

    private void heading(Line line, String text, Tables tables) {
        Matcher title = TITLE.matcher(text);
        Matcher benchmark = NAME.matcher(text);
        Matcher invalid = INVALID.matcher(text);
        Matcher modes = MODE.matcher(text);
        Matcher count = Stream.of(PROCESSES, GROUPS)
                .map(pattern -> pattern.matcher(text))
                .filter(Matcher::matches)
                .findFirst()
                .orElse(null);
        boolean titled = title.find();
        if (titled) {
            tool = title.group(1).strip();
            unit = Integer.parseInt(title.group(2)) < 2018 ? RateUnit.MIB_PER_SECOND : RateUnit.MEGABYTE_PER_SECOND;
            anyOrder = false;
        } else if (benchmark.matches()) {
            name = benchmark.group(1);
            mode = "";
            processes = OptionalInt.empty();
        } else if (modes.matches()) {
            mode = " " + modes.group(1);
        } else if (LENGTHS.matcher(text).matches()) {
            anyOrder = true;
        } else if (count != null) {
            processes = OptionalInt.of(Integer.parseInt(count.group(1)));
        } else if (invalid.matches()) {
            tables.add(MpiFinding.TOO_FEW_PROCESSES, line, invalid.group(1), invalid.group(2));
        } else if (text.contains("#repetitions")) {
            columns(line, text.strip().split("\\s+"), tables);
        }
        if (titled || benchmark.matches()) {
            format = null;
        }
    }

    private void columns(Line line, String[] titles, Tables tables) {
        grouped = titles[0].equals("Group");
        RowFormat columns = new RowFormat(Stream.of(titles)
                .skip(grouped ? 1 : 0)
                .map(title -> COLUMNS.getOrDefault(title, Column.ignored()))
                .toList());
        unread = Stream.of(titles)
                .skip(grouped ? 1 : 0)
                .filter(title -> !COLUMNS.containsKey(title))
                .toList();
        format = columns.measuresSomething() ? columns : null;
        if (format == null) {
            tables.addQuote(MpiFinding.UNKNOWN_COLUMNS, line);
        }
        header = line;
        groups.clear();
    }

    private void row(Line line, RowFormat current, Tables tables) {
        String group = "";
        Line rest = line;
        if (grouped) {
            String[] parts = line.text().strip().split("\\s+", 2);
            group = " (group " + parts[0] + ")";
            rest = new Line(line.number(), parts.length > 1 ? parts[1] : "", line.complete());
            if (!Column.isNumber(parts[0])) {
                return;
            }
        }
        Matcher note = NOTE.matcher(rest.text());
        if (!current.resembles(rest) && !note.matches() && current.parse(rest).isEmpty()) {
            return;
        }
        TableBuilder table = groups.get(group);
        if (table == null) {
            table = open(group, current, tables);
            groups.put(group, table);
        }
        if (note.matches() && note.group(2).equals("time-out")) {
            table.add(MpiFinding.SIZE_TIMED_OUT, line, note.group(1));
        } else if (note.matches()) {
            table.addQuote(MpiFinding.SIZE_LEFT_OUT, rest);
        } else {
            table.accept(rest, current);
            if (showsDefects(rest, current)) {
                table.addQuote(MpiFinding.VALIDATION_FAILED, rest);
            }
        }
    }

    /** Whether a row has wrong data; also a row that cannot be read, such as for defects that are no number. */
    private static boolean showsDefects(Line line, RowFormat format) {
        List<Column> columns = format.columns();
        String[] tokens = line.text().strip().split("\\s+");
        Matcher wrong = WRONG.matcher(tokens[tokens.length - 1]);
        return columns.get(columns.size() - 1).measure() == Measure.DEFECTS
                && wrong.matches()
                && tokens.length + (wrong.group(1) == null ? 0 : 1) == columns.size();
    }

    private TableBuilder open(String group, RowFormat current, Tables tables) {
        String plain = name.replaceFirst("^Multi-", "");
        Double factor = name.equals(plain) ? factor(plain, current) : null;
        boolean latency = current.columns().contains(COLUMNS.get("t[usec]"));
        RateCheck check = factor == null
                ? null
                : new RateCheck(
                        factor,
                        latency ? Measure.LATENCY : Measure.MAX,
                        List.of(RateUnit.MEGABYTE_PER_SECOND, RateUnit.MIB_PER_SECOND));
        TableBuilder.Heading heading = new TableBuilder.Heading(
                BenchmarkFormat.IMB, tool, name.isEmpty() ? "unknown" : name + mode + group, traffic(plain), processes);
        TableBuilder table = tables.open(heading, header, unit, check);
        table.readAnyOrder(anyOrder);
        if (!unread.isEmpty()) {
            table.add(MpiFinding.UNREAD_COLUMNS, header, String.join(", ", unread));
        }
        return table;
    }

    /**
     * IMB-P2P, which prints rates of messages, counts the messages of all ranks. It divides by the time of the slowest rank, and prints an average
     * (imb_p2p_pingpong.c, imb_p2p_pingping.c), so that the rate of several pairs cannot be checked.
     */
    private @Nullable Double factor(String benchmark, RowFormat current) {
        Double factor = FACTORS.get(benchmark);
        if (factor == null || !current.columns().contains(COLUMNS.get("Msg/sec"))) {
            return factor;
        }
        return processes.orElse(0) != 2 ? null : benchmark.equals("PingPing") ? 2.0 : factor;
    }

    private static CommunicationPattern traffic(String benchmark) {
        return switch (benchmark) {
            case "PingPong", "PingPongSpecificSource", "PingPongAnySource" -> CommunicationPattern.PING_PONG;
            case "PingPing", "PingPingSpecificSource", "PingPingAnySource", "Sendrecv", "Exchange" ->
                CommunicationPattern.EXCHANGE;
            case "Uniband", "Biband" -> CommunicationPattern.STREAM;
            default -> CommunicationPattern.COLLECTIVE;
        };
    }
}
