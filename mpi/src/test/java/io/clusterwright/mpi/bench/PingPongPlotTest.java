package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PingPongPlotTest {
    private static final List<String> TABLES = Samples.TABLES;

    @Test
    void drawsTheArticlesTableAsBefore() throws IOException {
        String svg = new PingPongPlot(
                        Samples.only(Samples.read(Samples.ARTICLE)),
                        "Ping-pong between cluster11 and cluster12",
                        "Intel (R) MPI Benchmarks 4.0 Update 1 over DAPL",
                        List.of(LatencyEnvelope.article()))
                .toSvg();

        try (InputStream golden = PingPongPlotTest.class.getResourceAsStream("article.svg")) {
            assertThat(svg).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void isWellFormedForEveryTable(String sample) throws Exception {
        for (BenchmarkReport report : Benchmarks.parse(Samples.read(sample)).reports()) {
            Document document = parse(report.toSvg());

            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(document.getElementsByTagName("circle").getLength())
                    .isLessThanOrEqualTo(2 * report.rows().size());
        }
    }

    @Test
    void escapesMarkupAndWhatXmlCannotHold() throws Exception {
        String svg = Samples.only(Samples.read(Samples.ARTICLE)).toSvg("<cluster11> & \"cluster12\"\u0000", "");

        Document document = parse(svg);
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("<cluster11> & \"cluster12\"\uFFFD");
    }

    @Test
    void placesAMessageOfZeroBytesLeftOfTheAxis() throws Exception {
        String svg = Samples.only(Samples.read(Samples.ARTICLE)).toSvg();

        assertThat(svg).contains(">0 B</text>").doesNotContain("NaN").doesNotContain("Infinity");
    }

    @Test
    void saysWhatWasNotMeasured() {
        String svg = Samples.only(Samples.read("11_osu563_latency_100g_ib.txt")).toSvg();

        assertThat(svg).contains(">not measured</text>");
    }

    private static Document parse(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
