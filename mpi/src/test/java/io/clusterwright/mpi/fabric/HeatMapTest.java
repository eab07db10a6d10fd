package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.HeatMap.Palette;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pictures are left under {@code target/heat-maps} to be looked at. */
class HeatMapTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8, 9, 16, 17, 32, 33, 64})
    void showsEveryPairInBothDirectionsAndEveryNameFourTimes(int nodes) throws Exception {
        FabricReport report = new Fabric(nodes)
                .slower(pair -> pair.has(Nodes.node(3)) ? 1.7 : pair.equals(Nodes.pair(1, 2)) && nodes > 4 ? 1.4 : 1)
                .report();

        Document svg = parse(keep(report, "all-" + nodes));

        Map<String, Long> cells = titles(svg).stream()
                .skip(1)
                .collect(Collectors.groupingBy(title -> title.replaceAll(":.*", ""), Collectors.counting()));
        assertThat(cells)
                .hasSize(2 * report.pairs().size())
                .allSatisfy((pair, times) -> assertThat(times).as(pair).isEqualTo(2));
        assertThat(texts(svg)).filteredOn("node1"::equals).hasSize(4);
        assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(titles(svg).get(0))
                .startsWith(
                        report.pairs().size() == 1
                                ? "1 pair of 2 nodes"
                                : report.pairs().size() + " pairs of " + nodes + " nodes");
    }

    @Test
    void crossesOutPairsThatCouldNotBeMeasured() throws Exception {
        FabricReport report = new Fabric(6).ring().without(Nodes.node(4)).report();

        Document svg = parse(keep(report, "broken"));

        assertThat(svg.getElementsByTagName("line").getLength()).isEqualTo(2 * 2 * 2 * 2);
        assertThat(titles(svg))
                .filteredOn(title -> title.endsWith("no route to host"))
                .hasSize(2 * 2 * 2);
    }

    @Test
    void doesNotExaggerateWhatIsNotJudged() throws Exception {
        FabricReport report = new Fabric(3)
                .slower(pair -> pair.has(Nodes.node(3)) ? 1.12 : 1)
                .interconnect(Interconnect.NONE)
                .transport(Fabric.TCP)
                .report();

        String svg = keep(report, "unjudged").replaceAll("(?s)<rect[^>]*height=\"12\".*?/>", "");

        assertThat(report.verdict().status()).isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(svg).contains("fill=\"" + Palette.colour(0) + "\"");
        for (int percent = 20; percent <= 100; percent++) {
            assertThat(svg).doesNotContain("fill=\"" + Palette.colour(percent / 100.0) + "\"");
        }
    }

    @Test
    void givesOneValueTheLightestColour() throws Exception {
        FabricReport report = new Fabric(2)
                .interconnect(Interconnect.NONE)
                .transport(Fabric.TCP)
                .report();

        String svg = keep(report, "one");

        assertThat(svg)
                .contains("fill=\"" + Palette.colour(0) + "\"")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
    }

    @Test
    void saysWhenNothingWasMeasured() throws Exception {
        FabricReport report =
                new Fabric(3).without(Nodes.node(1)).without(Nodes.node(2)).report();

        assertThat(texts(parse(keep(report, "nothing")))).contains("no pair was measured");
    }

    @Test
    void coloursGrowDarkerFromGoodToBad() {
        double before = 256;
        for (int i = 0; i <= 50; i++) {
            int rgb = Integer.parseInt(Palette.colour(i / 50.0).substring(1), 16);
            double light = 0.299 * (rgb >> 16) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255);
            assertThat(light).as("step %s", i).isLessThan(before);
            before = light;
        }
    }

    private static String keep(FabricReport report, String name) throws IOException {
        String svg = report.toSvg();
        Path folder = Files.createDirectories(Path.of("target", "heat-maps"));
        Files.writeString(folder.resolve(name + ".svg"), svg);
        return svg;
    }

    private static List<String> texts(Document svg) {
        return contents(svg, "text");
    }

    private static List<String> titles(Document svg) {
        return contents(svg, "title");
    }

    private static List<String> contents(Document svg, String tag) {
        NodeList elements = svg.getElementsByTagName(tag);
        List<String> contents = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            contents.add(((Element) elements.item(i)).getTextContent());
        }
        return contents;
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
