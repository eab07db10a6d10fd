package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * nccl-tests: each line has a size with the times out of place, then the times in place; they become two tables. {@code algbw} is bytes
 * divided by time, {@code busbw} the rate of a link (nccl-tests {@code doc/PERFORMANCE.md}); both are 10^9 B/s. One heading may stand
 * above the sizes of several types, operations and roots ({@code -d}, {@code -o}, {@code -r}), and of several cycles ({@code -N}).
 */
final class NcclParser implements FormatParser {
    private static final Pattern TITLE = Pattern.compile("\\s*# nccl-tests version (\\S+).*");
    private static final Pattern NAME = Pattern.compile("\\s*# Collective test starting: (?:\\S*/)?(\\S+)\\s*");
    private static final Pattern NEW_RUN = Pattern.compile("\\s*# (?:nThread |Using devices).*");
    private static final Pattern RANK = Pattern.compile("\\s*#\\s+Rank\\s+\\d+ .*?\\bon\\s+(\\S+) device .*");
    private static final Pattern TITLES =
            Pattern.compile("\\s*#\\s+size\\s+count\\s+type(?:\\s+redop)?(?:\\s+root)?\\s+((?:cpu)?time\\s.*)");
    private static final Pattern FAILED = Pattern.compile("\\s*# Out of bounds values .*FAILED\\s*");
    private static final Pattern TOO_SLOW = Pattern.compile("\\s*# Avg bus bandwidth\\s*: (\\S+) FAILED\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?");
    private static final Map<String, Measure> MEASURES = Map.of(
            "time", Measure.AVERAGE,
            "cputime", Measure.AVERAGE,
            "algbw", Measure.RATE,
            "busbw", Measure.BUS_RATE,
            "#wrong", Measure.DEFECTS,
            "i_min", Measure.MIN,
            "i_max", Measure.MAX,
            "i_p99", Measure.PERCENTILE_99);

    private String tool = "nccl-tests";
    private String name = "unknown";
    private int ranks;
    private final Set<String> hosts = new HashSet<>();
    private List<String> titles = List.of();
    private List<TableBuilder> tables = List.of();
    /** All tables of the last heading, which share its last lines. */
    private final List<TableBuilder> run = new ArrayList<>();

    private Line header = new Line(0, "", true);
    private @Nullable TableBuilder wrong;
    private String combination = "";
    private boolean severalCombinations;
    private int cycle;
    private double firstBytes;
    private double lastBytes;

    @Override
    public void accept(Line line, Tables all) {
        String text = line.text();
        Matcher title = TITLE.matcher(text);
        Matcher benchmark = NAME.matcher(text);
        Matcher rank = RANK.matcher(text);
        Matcher columns = TITLES.matcher(text);
        Matcher slow = TOO_SLOW.matcher(text);
        if (title.matches()) {
            tool = "nccl-tests " + title.group(1);
        } else if (benchmark.matches()) {
            name = benchmark.group(1);
        } else if (NEW_RUN.matcher(text).matches()) {
            ranks = 0;
            hosts.clear();
            tables = List.of();
        } else if (rank.matches()) {
            ranks++;
            hosts.add(rank.group(1));
        } else if (columns.matches()) {
            open(line, List.of(columns.group(1).strip().split("\\s+")), all);
        } else if (FAILED.matcher(text).matches() && !tables.isEmpty()) {
            (wrong == null ? run : List.of(wrong)).forEach(table -> table.addQuote(MpiFinding.VALIDATION_FAILED, line));
        } else if (slow.matches() && !tables.isEmpty()) {
            run.get(0).add(MpiFinding.BELOW_WANTED_BANDWIDTH, line, slow.group(1));
        } else if (!tables.isEmpty() && !text.isBlank() && !text.stripLeading().startsWith("#")) {
            row(line, text.strip().split("\\s+"), all);
        }
    }

    private void open(Line line, List<String> printed, Tables all) {
        titles = printed.stream()
                .flatMap(
                        title -> title.equals("timestamp") ? List.of("day", "clock").stream() : List.of(title).stream())
                .toList();
        tables = List.of();
        run.clear();
        header = line;
        wrong = null;
        combination = "";
        severalCombinations = false;
        if (!titles.contains("busbw") || !titles.stream().allMatch(title -> title.matches("[\\w%#]+"))) {
            all.addQuote(MpiFinding.UNKNOWN_COLUMNS, line);
        } else {
            open(all);
        }
    }

    private void open(Tables all) {
        boolean half = titles.lastIndexOf("busbw") == titles.indexOf("busbw");
        tables = half ? List.of(open(name, all)) : List.of(open(name, all), open(name + " in place", all));
        run.addAll(tables);
        String unread = titles.stream()
                .filter(title -> !MEASURES.containsKey(title) && !title.equals("day") && !title.equals("clock"))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!unread.isEmpty()) {
            tables.forEach(table -> table.add(MpiFinding.UNREAD_COLUMNS, header, unread));
        }
        cycle = 1;
        firstBytes = -1;
        lastBytes = -1;
    }

    /** Opens tables for a row that begins another type, operation, root or cycle. */
    private void follow(String next, double bytes, Tables all) {
        boolean another = !combination.isEmpty() && !next.equals(combination);
        boolean again = bytes == firstBytes && (bytes < lastBytes || bytes == lastBytes && bytes > 0);
        if (another || again) {
            int number = another ? 1 : cycle + 1;
            if (!another) {
                qualify(true);
            } else if (!severalCombinations) {
                severalCombinations = true;
                run.forEach(table -> table.qualify(" (" + combination + ")" + table.qualifier()));
            }
            open(all);
            cycle = number;
        }
        combination = next;
        qualify(cycle > 1);
        firstBytes = firstBytes < 0 ? bytes : firstBytes;
    }

    private void qualify(boolean cycles) {
        String words = (severalCombinations ? " (" + combination + ")" : "") + (cycles ? " cycle " + cycle : "");
        tables.forEach(table -> table.qualify(words));
    }

    private TableBuilder open(String benchmark, Tables all) {
        TableBuilder.Heading heading = new TableBuilder.Heading(
                BenchmarkFormat.NCCL,
                tool,
                benchmark,
                CommunicationPattern.COLLECTIVE,
                ranks == 0 ? OptionalInt.empty() : OptionalInt.of(ranks),
                hosts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(hosts.size()));
        return all.open(heading, header, RateUnit.GIGABYTE_PER_SECOND, null);
    }

    /** Size, count and type come first, and at most an operation and a root; the titles name the last columns. */
    private void row(Line line, String[] tokens, Tables all) {
        int first = tokens.length - titles.size();
        if (!NUMBER.matcher(tokens[0]).matches()
                || tokens.length < 2
                || !NUMBER.matcher(tokens[1]).matches()) {
            return;
        }
        if (first < 3 || first > 5 || NUMBER.matcher(tokens[2]).matches() || !line.complete()) {
            tables.get(0).addQuote(MpiFinding.CUT_ROW, line);
            return;
        }
        int table = -1;
        List<Map<Measure, Double>> values = List.of(new EnumMap<>(Measure.class), new EnumMap<>(Measure.class));
        for (int i = 0; i < titles.size(); i++) {
            String token = tokens[first + i];
            Measure measure = MEASURES.get(titles.get(i));
            table += measure == Measure.AVERAGE ? 1 : 0;
            if (measure == null || token.equals("N/A")) {
                continue;
            }
            if (!NUMBER.matcher(token).matches() || table >= tables.size()) {
                tables.get(0).addQuote(MpiFinding.CUT_ROW, line);
                return;
            }
            values.get(table).put(measure, Double.valueOf(token));
        }
        double bytes = Double.parseDouble(tokens[0]);
        follow(combination(List.of(tokens).subList(2, first)), bytes, all);
        for (int i = 0; i < tables.size(); i++) {
            Map<Measure, Double> row = values.get(i);
            row.put(Measure.BYTES, bytes);
            if (bytes == lastBytes) {
                tables.get(i).addPair(line, row, List.of());
            } else {
                tables.get(i).add(line, row);
            }
            if (row.getOrDefault(Measure.DEFECTS, 0.0) > 0) {
                wrong = tables.get(i);
                wrong.addQuote(MpiFinding.VALIDATION_FAILED, line);
            }
        }
        lastBytes = Math.max(lastBytes, bytes);
    }

    /** The type, and the operation and the root where there are any. */
    private static String combination(List<String> words) {
        return words.stream()
                .filter(word -> !word.equals("none") && !word.equals("-1"))
                .map(word -> word.matches("\\d+") ? "root " + word : word)
                .collect(Collectors.joining(", "));
    }
}
