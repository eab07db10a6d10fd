package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.PerftestParser.UcxPerftestParser;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import io.clusterwright.mpi.internal.explain.Diagnoser;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a benchmark's output while it is printed: it takes chunks and hands on each row as soon as the row is
 * complete. Use it to show rows while a benchmark runs; {@link Benchmarks#parse} reads a whole output.
 *
 * <pre>{@code
 * BenchmarkStream stream = new BenchmarkStream(row -> System.out.println(row)); // each row as soon as it is complete
 * output.lines().forEach(line -> stream.feed(line + "\n"));
 * Benchmarks all = stream.finish();
 * }</pre>
 *
 * <p>Rows handed on early have the unit their tool is known for; {@link #finish()} returns the final tables. Not safe
 * for several threads.
 */
public final class BenchmarkStream {
    /** The node that pdsh or clush writes before each line. */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9][\\w.-]*+):(?: |$)");

    /** The first line of an output; a word with a colon before any other line is no node. */
    private static final Pattern BEGINNING =
            Pattern.compile("\\s*#.*|-{20,}\\s*|\\+-{10,}.*|\\|.*\\|\\s*|\\s+\\S.* Test\\s*"
                    + "|\\s*\\d+:\\s+\\d+ bytes\\b.*|Testing packet size .*");

    private final Tables tables;
    private final List<FormatParser> unlabelled = parsers();
    /** The tables of one node stand between the lines of another. */
    private final Map<String, List<FormatParser>> nodes = new HashMap<>();

    private final LineSplitter lines = new LineSplitter(this::line);

    /** Creates a stream that hands rows to this listener, on the thread that feeds it. */
    public BenchmarkStream(Consumer<BenchmarkRow> listener) {
        this.tables = new Tables(listener);
    }

    /** Takes the first {@code length} bytes of a buffer, which may end in the middle of a line. */
    public void feed(byte[] bytes, int length) {
        lines.feed(bytes, length);
    }

    /** Takes text, which may end in the middle of a line. */
    public void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        feed(bytes, bytes.length);
    }

    /** Ends the text and gives everything that was in it. */
    public Benchmarks finish() {
        lines.finish();
        return tables.finish();
    }

    private void line(Line line) {
        String text = Diagnoser.plain(line.text());
        Matcher named = HOST.matcher(text);
        String node = named.lookingAt() ? named.group(1) : "";
        String own = node.isEmpty() ? text : text.substring(named.end());
        if (!node.isEmpty()
                && !nodes.containsKey(node)
                && BEGINNING.matcher(own).matches()) {
            nodes.put(node, parsers());
        }
        List<FormatParser> parsers = nodes.get(node);
        Line plain = new Line(line.number(), parsers == null ? text : own, line.complete());
        tables.setNode(parsers == null ? "" : node);
        (parsers == null ? unlabelled : parsers).forEach(parser -> parser.accept(plain, tables));
    }

    private static List<FormatParser> parsers() {
        return List.of(
                new ImbParser(),
                new OsuParser(),
                new NetPipeParser(),
                new PerftestParser(),
                new UcxPerftestParser(),
                new MpiPingPongParser(),
                new NcclParser());
    }
}
