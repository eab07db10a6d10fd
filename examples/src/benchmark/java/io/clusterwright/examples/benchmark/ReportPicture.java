package io.clusterwright.examples.benchmark;

import io.clusterwright.mpi.internal.plot.Svg;
import java.util.List;

/**
 * The rows as bars from 0, ours above the peer's, each row in its own scale, with whiskers from the lower to the upper quartile.
 *
 * @param rows the rows in their order
 */
record ReportPicture(List<Row> rows) {
    private static final int WIDTH = 1140;
    private static final double MARGIN = 24;
    private static final double TOP = 96;
    private static final double LINE = 44;
    private static final double BARS = 400;
    private static final double LONGEST = 330;
    private static final double RESULT = 980;
    private static final String SMALL = "font-size=\"11\" fill=\"#444444\"";
    private static final String TEXT = "font-size=\"12\" fill=\"#111111\"";

    String toSvg() {
        Svg svg = new Svg(WIDTH, (int) (TOP + rows.size() * LINE + MARGIN), "Benchmarks");
        svg.text(MARGIN, 40, "font-size=\"20\" font-weight=\"bold\" fill=\"#111111\"", "Benchmarks");
        svg.text(
                MARGIN,
                64,
                "font-size=\"13\" fill=\"#444444\"",
                "Medians; whiskers from the lower to the upper quartile. Each row has its own scale. Shorter is better.");
        for (int i = 0; i < rows.size(); i++) {
            paint(svg, rows.get(i), TOP + i * LINE);
        }
        return svg.finish();
    }

    private static void paint(Svg svg, Row row, double y) {
        svg.line(MARGIN, y - 4, WIDTH - MARGIN, y - 4, "stroke=\"#dddddd\"");
        svg.text(MARGIN, y + 14, TEXT, row.what());
        svg.text(MARGIN, y + 29, SMALL, row.group());
        double most = Math.max(
                row.ours().quartile(3), row.peer().measured() ? row.peer().quartile(3) : 0);
        bar(svg, row.ours(), row.ours().unit(), y + 3, most, "#0b57a4");
        if (row.peer().measured()) {
            bar(svg, row.peer(), row.peer().name(), y + 20, most, "#a4450b");
        }
        svg.text(RESULT, y + 14, "font-size=\"12\" font-weight=\"bold\" fill=\"#111111\"", row.result());
        String goal = row.goal().toText(row.ours().unit());
        svg.text(RESULT, y + 29, SMALL, goal.isEmpty() ? "" : goal + (row.met().isEmpty() ? "" : ": " + row.met()));
    }

    private static void bar(Svg svg, Series series, String label, double y, double most, String colour) {
        double scale = most > 0 ? LONGEST / most : 0;
        double low = BARS + series.quartile(1) * scale;
        double high = BARS + series.quartile(3) * scale;
        svg.rect(BARS, y, Math.max(1, series.median() * scale), 13, "fill=\"" + colour + "\"", series.toText());
        String style = "stroke=\"#111111\" stroke-width=\"1\"";
        svg.line(low, y + 6.5, high, y + 6.5, style);
        svg.line(low, y + 3, low, y + 10, style);
        svg.line(high, y + 3, high, y + 10, style);
        svg.text(
                Math.max(high, BARS + series.median() * scale) + 8,
                y + 11,
                SMALL,
                Series.number(series.median()) + " " + (label.equals(series.unit()) ? label : series.unit() + ", " + label));
    }
}
