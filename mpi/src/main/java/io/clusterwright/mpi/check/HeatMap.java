package io.clusterwright.mpi.check;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.svg.Svg;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The pairs of a report as a picture: latency and bandwidth, side by side for up to 16 nodes and one below the other for more. */
final class HeatMap {
    private static final double MARGIN = 24;
    private static final double HEAD = 92;
    private static final int SIDE_BY_SIDE = 16;

    private final FabricReport report;
    private final List<NodeName> nodes;
    private final Map<NodePair, PairResult> pairs = new LinkedHashMap<>();

    private HeatMap(FabricReport report) {
        this.report = report;
        Set<NodeName> measured = new LinkedHashSet<>();
        report.pairs().forEach(pair -> {
            pairs.put(pair.pair(), pair);
            measured.addAll(pair.pair().nodes());
        });
        this.nodes = report.nodes().stream().filter(measured::contains).toList();
    }

    static String of(FabricReport report) {
        return new HeatMap(report).draw();
    }

    private String draw() {
        HeatMapPanel.Layout layout = HeatMapPanel.Layout.of(nodes);
        boolean beside = nodes.size() <= SIDE_BY_SIDE;
        double width = 2 * MARGIN + (beside ? 2 * layout.width() + MARGIN : layout.width());
        double height = HEAD + (beside ? layout.height() : 2 * layout.height() + MARGIN) + MARGIN;
        width = Math.max(width, 640);
        String title = title();
        Svg svg = new Svg(
                (int) Math.ceil(width),
                (int) Math.ceil(height),
                title + ". " + report.verdict().status().key() + ": "
                        + String.join("; ", report.verdict().reasons()));
        svg.text(MARGIN, 38, "font-size=\"19\" font-weight=\"bold\" fill=\"#111111\"", title);
        svg.text(MARGIN, 60, "font-size=\"12\" fill=\"#444444\"", subtitle((int) (width / 7)));
        HeatMapPanel panel = new HeatMapPanel(svg, layout, nodes, pairs, report);
        panel.draw(Quantity.LATENCY, MARGIN, HEAD);
        panel.draw(
                Quantity.BANDWIDTH,
                beside ? MARGIN + layout.width() + MARGIN : MARGIN,
                beside ? HEAD : HEAD + layout.height() + MARGIN);
        return svg.finish();
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
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
