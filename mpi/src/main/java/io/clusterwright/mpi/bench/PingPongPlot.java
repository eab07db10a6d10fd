package io.clusterwright.mpi.bench;

import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.internal.plot.PlotPanel;
import io.clusterwright.mpi.internal.plot.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A ping-pong table as an SVG picture: latency and bandwidth over message size, on logarithmic axes. A message of 0 bytes, for which
 * a logarithmic axis has no place, stands at the left behind a dotted line. The same report always gives the same bytes.
 *
 * @param title such as the two nodes; about 60 characters fit
 * @param subtitle such as the MPI and the transport; about 110 characters fit
 * @param limits the rules whose limits are drawn into it
 */
record PingPongPlot(BenchmarkReport report, String title, String subtitle, List<LatencyEnvelope> limits) {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 760;
    private static final double FIRST = 112;
    private static final double SECOND = FIRST + PlotPanel.height() + 78;

    /** The picture as an SVG document. */
    public String toSvg() {
        Svg svg = new Svg(WIDTH, HEIGHT, title);
        svg.text(PlotPanel.LEFT, 40, "font-size=\"20\" font-weight=\"bold\" fill=\"#111111\"", shorten(title, 62));
        svg.text(PlotPanel.LEFT, 64, "font-size=\"13\" fill=\"#444444\"", shorten(subtitle, 112));
        List<Double> sizes = report.rows().stream()
                .filter(row -> row.bytes().isPresent())
                .map(row -> (double) row.bytes().getAsLong())
                .toList();

        boolean pingPong = report.traffic() == CommunicationPattern.PING_PONG;
        List<PlotPanel.Point> times = points(BenchmarkRow::typicalMicros);
        PlotPanel latency = new PlotPanel(svg, FIRST, times, sizes);
        latency.draw(pingPong ? "Latency, one way" : "Time", PingPongPlot::time, "#0b57a4");
        times.stream()
                .min(Comparator.comparingDouble(PlotPanel.Point::value))
                .ifPresent(best -> latency.note("shortest " + time(best.value()) + at(best)));
        limits.forEach(rule ->
                latency.limit(rule.belowMicros(), rule.upToBytes(), "limit: below " + time(rule.belowMicros())));

        List<PlotPanel.Point> rates = points(BenchmarkRow::bytesPerSecond);
        PlotPanel bandwidth = new PlotPanel(svg, SECOND, rates, sizes);
        bandwidth.draw("Bandwidth", PingPongPlot::rate, "#a4450b");
        rates.stream()
                .max(Comparator.comparingDouble(PlotPanel.Point::value))
                .ifPresent(best -> bandwidth.note("highest " + rate(best.value()) + at(best)));
        svg.text(
                (PlotPanel.LEFT + PlotPanel.RIGHT) / 2,
                HEIGHT - 22,
                "font-size=\"13\" fill=\"#111111\" text-anchor=\"middle\"",
                "message size");
        return svg.finish();
    }

    private List<PlotPanel.Point> points(Function<BenchmarkRow, OptionalDouble> quantity) {
        return report.rows().stream()
                .filter(row -> row.bytes().isPresent())
                .filter(row -> quantity.apply(row).orElse(0) > 0)
                .map(row -> new PlotPanel.Point(
                        row.bytes().getAsLong(), quantity.apply(row).getAsDouble()))
                .sorted(Comparator.comparingDouble(PlotPanel.Point::bytes))
                .toList();
    }

    private static String at(PlotPanel.Point point) {
        return " at " + PlotPanel.bytes(point.bytes());
    }

    private static String time(double micros) {
        return scaled(micros, new String[] {"µs", "ms", "s"}, "ns", 1000);
    }

    private static String rate(double bytesPerSecond) {
        return scaled(bytesPerSecond, new String[] {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"}, "B/s", 1);
    }

    private static String scaled(double value, String[] units, String below, double belowFactor) {
        if (value < 0.999_999 && belowFactor > 1) {
            return digits(value * belowFactor) + " " + below;
        }
        int unit = 0;
        double rest = value;
        while (rest >= 999.999 && unit < units.length - 1) {
            rest /= 1000;
            unit++;
        }
        return digits(rest) + " " + units[unit];
    }

    /** Three digits that count. */
    private static String digits(double value) {
        String text = String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    private static String shorten(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
