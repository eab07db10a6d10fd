package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.Outliers.Quantity;
import io.clusterwright.mpi.internal.plot.Svg;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The pairs of a report as a picture: latency and bandwidth, side by side for up to 16 nodes and one below the other for more. */
final class HeatMap {
    private static final double MARGIN = 24;
    private static final double HEAD = 92;
    private static final int SIDE_BY_SIDE = 16;
    private static final double CAPTION = 26;
    private static final double LEGEND = 74;
    private static final int STEPS = 48;
    private static final double SPREAD = 1.1;

    /** Where nothing is judged, only what is several times worse is dark. */
    private static final double UNJUDGED_SPREAD = 4;

    private static final double LINE = 16;
    private static final int MOST_LINES = 12;

    private final FabricReport report;
    private final List<NodeName> nodes;
    private final Map<NodePair, List<PairResult>> pairs = new LinkedHashMap<>();
    private final List<String> badRails;
    private final Layout layout;
    private final boolean beside;
    private final double spread;
    private final double width;
    private final Svg svg;

    private HeatMap(FabricReport report) {
        this.report = report;
        Set<NodeName> measured = new LinkedHashSet<>();
        report.pairs().forEach(pair -> {
            pairs.computeIfAbsent(pair.pair(), key -> new ArrayList<>()).add(pair);
            measured.addAll(pair.pair().nodes());
        });
        this.nodes = report.nodes().stream().filter(measured::contains).toList();
        this.layout = Layout.of(nodes);
        this.spread = report.verdict().status() == Verdict.Status.NOT_JUDGED ? UNJUDGED_SPREAD : SPREAD;
        this.beside = nodes.size() <= SIDE_BY_SIDE;
        this.width = Math.max(2 * MARGIN + (beside ? 2 * layout.width() + MARGIN : layout.width()), 640);
        this.badRails = report.judgement().badRails();
        double height = HEAD + below() + Math.min(badRails.size(), MOST_LINES + 1) * LINE + MARGIN;
        this.svg = new Svg(
                (int) Math.ceil(width),
                (int) Math.ceil(height),
                title() + ". " + report.verdict().status().key() + ": "
                        + String.join("; ", report.verdict().reasons()));
    }

    static String of(FabricReport report) {
        return new HeatMap(report).draw();
    }

    private String draw() {
        svg.text(MARGIN, 38, "font-size=\"19\" font-weight=\"bold\" fill=\"#111111\"", title());
        svg.text(MARGIN, 60, "font-size=\"12\" fill=\"#444444\"", subtitle((int) (width / 7)));
        matrix(Quantity.LATENCY, MARGIN, HEAD);
        matrix(
                Quantity.BANDWIDTH,
                beside ? MARGIN + layout.width() + MARGIN : MARGIN,
                beside ? HEAD : HEAD + layout.height() + MARGIN);
        rails(HEAD + below() + LINE);
        return svg.finish();
    }

    /** The height of the matrices. */
    private double below() {
        return beside ? layout.height() : 2 * layout.height() + MARGIN;
    }

    /** The rails that are broken or slow, a line each. */
    private void rails(double top) {
        String style = "font-size=\"11\" fill=\"#111111\"";
        int lines = Math.min(badRails.size(), MOST_LINES);
        for (int i = 0; i < lines; i++) {
            svg.text(MARGIN, top + i * LINE, style, cut(badRails.get(i), (int) (width / 6)));
        }
        if (badRails.size() > lines) {
            svg.text(MARGIN, top + lines * LINE, style, "and " + (badRails.size() - lines) + " more rails");
        }
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    private String title() {
        String pairsText = pairs.size() == 1 ? "1 pair" : pairs.size() + " pairs";
        return pairsText + " of " + nodes.size() + " nodes (" + report.kind() + ")";
    }

    private String subtitle(int most) {
        String text = String.format(
                Locale.ROOT,
                "%s · %s%s",
                report.transport(),
                "verdict: " + report.verdict().status().key(),
                report.sharesOneMachine() ? " · these nodes share one machine" : "");
        return cut(text, most);
    }

    /** One matrix: a row and a column for each node, a colour for each pair, and the scale of the colours below. */
    private void matrix(Quantity quantity, double left, double top) {
        DoubleSummaryStatistics range = new DoubleSummaryStatistics();
        pairs.values().forEach(rails -> value(rails, quantity).ifPresent(range::accept));
        String caption =
                quantity == Quantity.LATENCY ? "Latency of up to 64 bytes, one way [µs]" : "Bandwidth [10⁶ B/s]";
        svg.text(left, top + 12, "font-size=\"14\" font-weight=\"bold\" fill=\"#111111\"", caption);
        double x0 = left + layout.label;
        double y0 = top + CAPTION + layout.label;
        labels(x0, y0);
        for (int row = 0; row < nodes.size(); row++) {
            for (int column = 0; column < nodes.size(); column++) {
                cell(quantity, range, row, column, x0 + column * layout.cell, y0 + row * layout.cell);
            }
        }
        double side = layout.cell * nodes.size();
        svg.rect(x0, y0, side, side, "fill=\"none\" stroke=\"#555555\" stroke-width=\"1\"");
        legend(quantity, range, x0, y0 + side + 16, Math.max(side, layout.legend));
    }

    private void labels(double x0, double y0) {
        for (int i = 0; i < nodes.size(); i++) {
            NodeName node = nodes.get(i);
            boolean bad = report.brokenNodes().contains(node)
                    || report.slowNodes().stream().anyMatch(slow -> slow.what().equals(node))
                    || report.brokenRails().stream().anyMatch(end -> end.node().equals(node))
                    || report.slowRails().stream()
                            .anyMatch(slow -> slow.what().node().equals(node));
            String style = "font-size=\"" + layout.font + "\" fill=\"#111111\""
                    + (bad ? " font-weight=\"bold\" text-decoration=\"underline\"" : "");
            double middle = (i + 0.5) * layout.cell;
            double drop = layout.font * 0.35;
            svg.text(x0 - 6, y0 + middle + drop, style + " text-anchor=\"end\"", layout.text(node));
            double x = x0 + middle + drop;
            svg.text(
                    x,
                    y0 - 6,
                    style + " transform=\"rotate(-90 " + Svg.n(x) + " " + Svg.n(y0 - 6) + ")\"",
                    layout.text(node));
        }
    }

    private void cell(Quantity quantity, DoubleSummaryStatistics range, int row, int column, double x, double y) {
        double size = layout.cell;
        if (row == column) {
            svg.rect(x, y, size, size, "fill=\"#d9d9d9\"");
            return;
        }
        NodePair place = new NodePair(nodes.get(row), nodes.get(column));
        List<PairResult> rails = pairs.get(place);
        if (rails == null) {
            svg.rect(x, y, size, size, "fill=\"#ffffff\" stroke=\"#e4e4e4\" stroke-width=\"0.5\"");
            return;
        }
        OptionalDouble value = value(rails, quantity);
        String title = rails.stream().map(rail -> title(place, rail, quantity)).collect(Collectors.joining("; "));
        if (value.isEmpty()) {
            svg.rect(x, y, size, size, "fill=\"#ffffff\" stroke=\"#888888\" stroke-width=\"0.5\"", title);
            cross(x, y, size, size * 0.22);
            return;
        }
        double badness = badness(quantity, range, value.getAsDouble());
        svg.rect(
                x,
                y,
                size,
                size,
                "fill=\"" + Palette.colour(badness) + "\" stroke=\"#ffffff\" stroke-width=\"0.5\"",
                title);
        if (rails.stream().anyMatch(rail -> !rail.measured())) {
            cross(x, y, size, size * 0.4);
        }
        if (slow(place)) {
            double width = size > 20 ? 3 : 2;
            svg.rect(
                    x + width / 2,
                    y + width / 2,
                    size - width,
                    size - width,
                    "fill=\"none\" stroke=\"#0b57a4\" stroke-width=\"" + Svg.n(width) + "\"");
        }
        if (size >= 40) {
            svg.text(
                    x + size / 2,
                    y + size / 2 + 4,
                    "font-size=\"" + (size >= 56 ? 12 : 10) + "\" text-anchor=\"middle\" fill=\"" + Palette.ink(badness)
                            + "\"",
                    number(quantity.shown(value.getAsDouble())));
        }
    }

    private void cross(double x, double y, double size, double inset) {
        String pen = "stroke=\"#111111\" stroke-width=\"" + (size > 20 ? 2 : 1) + "\"";
        svg.line(x + inset, y + inset, x + size - inset, y + size - inset, pen);
        svg.line(x + inset, y + size - inset, x + size - inset, y + inset, pen);
    }

    private static String title(NodePair place, PairResult pair, Quantity quantity) {
        OptionalDouble value = value(pair, quantity);
        return value.isEmpty()
                ? pair.toString()
                : (pair.rails().isEmpty() ? place : MeasuredPair.name(pair)) + ": "
                        + quantity.text(quantity.shown(value.getAsDouble()));
    }

    private boolean slow(NodePair pair) {
        return report.slowPairs().stream().anyMatch(slow -> slow.what().equals(pair))
                || report.slowNodes().stream().anyMatch(slow -> pair.has(slow.what()))
                || report.slowRails().stream()
                        .anyMatch(slow -> pair.has(slow.what().node()));
    }

    private void legend(Quantity quantity, DoubleSummaryStatistics range, double x, double y, double width) {
        String small = "font-size=\"11\" fill=\"#333333\"";
        if (range.getCount() == 0) {
            svg.text(x, y + 12, small, "no pair was measured");
            return;
        }
        boolean latency = quantity == Quantity.LATENCY;
        double bar = Math.min(width, 260);
        for (int i = 0; i < STEPS; i++) {
            svg.rect(
                    x + bar * i / STEPS,
                    y,
                    bar / STEPS + 0.5,
                    12,
                    "fill=\"" + Palette.colour((i + 0.5) / STEPS) + "\"");
        }
        svg.rect(x, y, bar, 12, "fill=\"none\" stroke=\"#555555\" stroke-width=\"0.5\"");
        double best = latency ? range.getMin() : range.getMax();
        double worst = latency ? range.getMax() : range.getMin();
        double end = latency ? Math.max(worst, best * spread) : Math.min(worst, best / spread);
        svg.text(x, y + 26, small, "best " + number(quantity.shown(best)));
        svg.text(
                x + bar,
                y + 26,
                small + " text-anchor=\"end\"",
                (end == worst ? "worst " : "") + number(quantity.shown(end)));
        svg.text(x, y + 42, small, "× not measured · blank: not asked for · blue frame: slow");
    }

    /** On a logarithmic scale; what is less than a tenth apart is not spread over the whole scale. */
    private double badness(Quantity quantity, DoubleSummaryStatistics range, double value) {
        double best = quantity == Quantity.LATENCY ? range.getMin() : range.getMax();
        double worst = quantity == Quantity.LATENCY ? range.getMax() : range.getMin();
        return Math.log(quantity.timesWorse(value, best))
                / Math.log(Math.max(spread, quantity.timesWorse(worst, best)));
    }

    /** The worst of the rails. */
    private static OptionalDouble value(List<PairResult> rails, Quantity quantity) {
        DoubleStream values = rails.stream().flatMapToDouble(rail -> value(rail, quantity).stream());
        return quantity == Quantity.LATENCY ? values.max() : values.min();
    }

    private static OptionalDouble value(PairResult pair, Quantity quantity) {
        return quantity == Quantity.LATENCY ? pair.latencyMicros() : pair.bytesPerSecond();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }

    /** Sizes that depend on the number of nodes and the length of their names. */
    record Layout(double cell, int font, double label, double side, double legend) {
        private static final int LONGEST = 18;

        static Layout of(List<NodeName> nodes) {
            int n = nodes.size();
            double cell = n <= 8 ? 60 : n <= 16 ? 40 : n <= 32 ? 22 : 13;
            int font = n <= 16 ? 12 : n <= 32 ? 11 : 10;
            int longest =
                    nodes.stream().mapToInt(node -> node.value().length()).max().orElse(1);
            double label = Math.min(longest, LONGEST) * font * 0.64 + 12;
            return new Layout(cell, font, label, cell * n, 300);
        }

        double width() {
            return label + Math.max(side, legend);
        }

        double height() {
            return CAPTION + label + side + LEGEND;
        }

        /** A long name keeps its end, where the number is. */
        String text(NodeName node) {
            String name = node.value();
            return name.length() <= LONGEST ? name : "…" + name.substring(name.length() - LONGEST + 1);
        }
    }

    /**
     * The colours of a heat map, light for good and dark for bad: they differ in lightness throughout, so that they can be distinguished
     * without telling hues apart and in a print without colour.
     */
    static final class Palette {
        private static final int[][] STOPS = {
            {255, 247, 236},
            {254, 232, 200},
            {253, 212, 158},
            {253, 187, 132},
            {252, 141, 89},
            {227, 91, 69},
            {190, 36, 40},
            {127, 12, 30},
            {64, 5, 30}
        };

        private Palette() {}

        /** The colour of a badness from 0 to 1. */
        static String colour(double badness) {
            int[] rgb = rgb(badness);
            return String.format(Locale.ROOT, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        }

        /** Black or white, whichever is easier to read on that colour. */
        static String ink(double badness) {
            int[] rgb = rgb(badness);
            return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 140 ? "#111111" : "#ffffff";
        }

        private static int[] rgb(double badness) {
            double place = Math.min(1, Math.max(0, badness)) * (STOPS.length - 1);
            int low = Math.min(STOPS.length - 2, (int) place);
            double rest = place - low;
            int[] rgb = new int[3];
            for (int i = 0; i < 3; i++) {
                rgb[i] = (int) Math.round(STOPS[low][i] + rest * (STOPS[low + 1][i] - STOPS[low][i]));
            }
            return rgb;
        }
    }
}
