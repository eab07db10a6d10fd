package io.clusterwright.mpi.bench;

import io.clusterwright.mpi.internal.plot.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A table of pairs of nodes as an SVG picture: a bar for the latency and one for the bandwidth of each pair, from 0, the worst first where
 * there are many. The same report always gives the same bytes.
 *
 * @param title such as the tool; about 60 characters fit
 * @param subtitle such as the size of the messages; about 110 characters fit
 */
record PairBars(BenchmarkReport report, String title, String subtitle) {
    private static final int MOST = 100;
    private static final int WIDTH = 900;
    private static final double MARGIN = 24;
    private static final double TOP = 112;
    private static final double LINE = 22;
    private static final double BAR = 190;

    /** The picture as an SVG document. */
    public String toSvg() {
        List<BenchmarkRow> rows = rows();
        Svg svg = new Svg(WIDTH, (int) (TOP + rows.size() * LINE + 2 * MARGIN), title);
        svg.text(MARGIN, 40, "font-size=\"20\" font-weight=\"bold\" fill=\"#111111\"", title);
        svg.text(MARGIN, 64, "font-size=\"13\" fill=\"#444444\"", subtitle + sizes());
        double first = MARGIN + 290;
        double second = first + BAR + 95;
        String head = "font-size=\"13\" font-weight=\"bold\" fill=\"#111111\"";
        svg.text(MARGIN, TOP - 14, head, "pair of nodes");
        svg.text(first, TOP - 14, head, "latency, one way [µs]");
        svg.text(second, TOP - 14, head, "bandwidth [10⁶ B/s]");
        for (int i = 0; i < rows.size(); i++) {
            BenchmarkRow row = rows.get(i);
            double y = TOP + i * LINE;
            svg.text(MARGIN, y + 14, "font-size=\"12\" fill=\"#111111\"", String.join(" – ", row.nodes()));
            bar(svg, first, y, row.latencyMicros(), most(BenchmarkRow::latencyMicros), 1, "#0b57a4");
            bar(svg, second, y, row.bytesPerSecond(), most(BenchmarkRow::bytesPerSecond), 1e6, "#a4450b");
        }
        if (rows.size() < report.rows().size()) {
            svg.text(
                    MARGIN,
                    TOP + rows.size() * LINE + 16,
                    "font-size=\"12\" fill=\"#111111\"",
                    "and " + (report.rows().size() - rows.size()) + " faster pairs");
        }
        return svg.finish();
    }

    private List<BenchmarkRow> rows() {
        if (report.rows().size() <= MOST) {
            return report.rows();
        }
        return report.rows().stream()
                .sorted(Comparator.comparingDouble(row -> -row.latencyMicros().orElse(Double.MAX_VALUE)))
                .limit(MOST)
                .toList();
    }

    private String sizes() {
        return report.rows().stream()
                .filter(row -> row.bytes().isPresent() && row.repetitions().isPresent())
                .findFirst()
                .map(row -> String.format(
                        Locale.ROOT,
                        " · messages of %d B, %d times for each pair",
                        row.bytes().getAsLong(),
                        row.repetitions().getAsLong()))
                .orElse("");
    }

    private double most(Function<BenchmarkRow, OptionalDouble> quantity) {
        return report.rows().stream()
                .flatMapToDouble(row -> quantity.apply(row).stream())
                .max()
                .orElse(1);
    }

    private static void bar(
            Svg svg, double x, double y, OptionalDouble value, double most, double unit, String colour) {
        if (value.isEmpty() || most <= 0) {
            return;
        }
        double width = Math.max(1, BAR * value.getAsDouble() / most);
        svg.rect(x, y + 3, width, LINE - 8, "fill=\"" + colour + "\"");
        svg.text(
                x + width + 6,
                y + 14,
                "font-size=\"12\" fill=\"#111111\"",
                String.format(Locale.ROOT, "%.2f", value.getAsDouble() / unit));
    }
}
