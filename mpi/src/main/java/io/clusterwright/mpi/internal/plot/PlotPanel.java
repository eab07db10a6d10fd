package io.clusterwright.mpi.internal.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** One diagram of a plot: a quantity over message size, both on logarithmic axes. */
public final class PlotPanel {
    public static final double LEFT = 96;
    public static final double RIGHT = 872;
    private static final double ZERO = LEFT + 22;
    private static final double HEIGHT = 252;
    private static final String SMALL = "font-size=\"12\" fill=\"#333333\" ";

    private final Svg svg;
    private final double top;
    private final List<Point> points;
    private final LogAxis sizes;
    private final LogAxis values;
    private final boolean zeroSlot;

    public PlotPanel(Svg svg, double top, List<Point> points, List<Double> allSizes) {
        this.svg = svg;
        this.top = top;
        this.points = points;
        this.zeroSlot = allSizes.contains(0.0);
        List<Double> positive = allSizes.stream().filter(size -> size > 0).toList();
        double smallest =
                positive.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double largest =
                positive.stream().mapToDouble(Double::doubleValue).max().orElse(smallest);
        this.sizes =
                new LogAxis(smallest, Math.max(largest, smallest * 2), zeroSlot ? LEFT + 56 : LEFT + 12, RIGHT - 12);
        this.values = LogAxis.decimal(points.stream().map(Point::value).toList(), bottom() - 8, top + 8);
    }

    public static double height() {
        return HEIGHT;
    }

    public void draw(String caption, DoubleFunction<String> label, String colour) {
        grid(label);
        svg.text(LEFT, top - 10, "font-size=\"14\" font-weight=\"bold\" fill=\"#111111\"", caption);
        if (points.isEmpty()) {
            svg.text((LEFT + RIGHT) / 2, top + HEIGHT / 2, SMALL + "text-anchor=\"middle\"", "not measured");
            return;
        }
        List<double[]> line = new ArrayList<>();
        for (Point point : points) {
            if (point.bytes() > 0) {
                line.add(new double[] {sizes.at(point.bytes()), values.at(point.value())});
            }
        }
        svg.polyline(line, "stroke=\"" + colour + "\" stroke-width=\"2\" stroke-linejoin=\"round\"");
        double radius = points.size() > 60 ? 2 : 3;
        for (Point point : points) {
            double x = point.bytes() > 0 ? sizes.at(point.bytes()) : ZERO;
            svg.circle(x, values.at(point.value()), radius, "fill=\"" + colour + "\"");
        }
    }

    /** A note at the right end of the caption's line. */
    public void note(String text) {
        svg.text(RIGHT, top - 10, SMALL + "text-anchor=\"end\"", text);
    }

    /** A limit drawn over the sizes it holds for. */
    public void limit(double value, double upToBytes, String text) {
        if (points.isEmpty() || value < values.low() || value > values.high() || upToBytes < sizes.low()) {
            return;
        }
        double y = values.at(value);
        double x = sizes.at(Math.min(upToBytes, sizes.high()));
        svg.line(LEFT, y, x, y, "stroke=\"#b00020\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"");
        svg.text(LEFT + 6, y - 5, "font-size=\"11\" fill=\"#b00020\"", text);
    }

    private void grid(DoubleFunction<String> label) {
        if (!points.isEmpty()) {
            values(label);
        }
        for (double size : sizeTicks()) {
            tick(sizes.at(size), bytes(size));
        }
        if (zeroSlot) {
            tick(ZERO, "0 B");
            double edge = (ZERO + sizes.from()) / 2;
            svg.line(edge, top, edge, bottom(), "stroke=\"#999999\" stroke-width=\"1\" stroke-dasharray=\"2 3\"");
        }
        svg.rect(LEFT, top, RIGHT - LEFT, HEIGHT, "fill=\"none\" stroke=\"#333333\" stroke-width=\"1\"");
    }

    private void values(DoubleFunction<String> label) {
        for (double value : values.grid()) {
            double y = values.at(value);
            svg.line(LEFT, y, RIGHT, y, "stroke=\"#eeeeee\" stroke-width=\"1\"");
        }
        for (double value : values.labelled(15)) {
            double y = values.at(value);
            svg.line(LEFT, y, RIGHT, y, "stroke=\"#cccccc\" stroke-width=\"1\"");
            svg.text(LEFT - 8, y + 4, SMALL + "text-anchor=\"end\"", label.apply(value));
        }
    }

    private void tick(double x, String text) {
        svg.line(x, top, x, bottom(), "stroke=\"#dddddd\" stroke-width=\"1\"");
        svg.line(x, bottom(), x, bottom() + 5, "stroke=\"#333333\" stroke-width=\"1\"");
        svg.text(x, bottom() + 19, SMALL + "text-anchor=\"middle\"", text);
    }

    private List<Double> sizeTicks() {
        double octaves = Math.log(sizes.high() / sizes.low()) / Math.log(2);
        int step = (int) Math.max(1, Math.ceil(octaves / 9));
        List<Double> ticks = new ArrayList<>();
        for (int power = 0; power < 63; power += step) {
            double size = (double) (1L << power);
            if (size >= sizes.low() && size <= sizes.high()) {
                ticks.add(size);
            }
        }
        return ticks;
    }

    private double bottom() {
        return top + HEIGHT;
    }

    /** A message size with its unit, such as {@code 4 KiB}. */
    public static String bytes(double size) {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        int unit = 0;
        double rest = size;
        while (rest >= 1024 && unit < units.length - 1) {
            rest /= 1024;
            unit++;
        }
        return rest == Math.rint(rest)
                ? (long) rest + " " + units[unit]
                : String.format(Locale.ROOT, "%.1f %s", rest, units[unit]);
    }

    /** A value at a message size. */
    public record Point(double bytes, double value) {}
}
