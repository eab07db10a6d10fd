package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class FabricReportTest {
    private static final FabricEnvelope HBV3 =
            FabricEnvelope.of(VmSizes.standard().find(VmSizes.HB120RS_V3).orElseThrow());

    @Nested
    class Judged {
        @Test
        void aGoodFabricPasses() {
            FabricReport report =
                    new Fabric(4).envelope(HBV3.withBandwidth(20e9, "a test")).report();

            assertThat(report.verdict())
                    .isEqualTo(new Verdict(
                            Verdict.Status.PASSED,
                            List.of("MPI used RDMA (rc_mlx5/mlx5_0:1)", "6 pairs are within the envelope")));
            assertThat(report.succeeded()).isTrue();
            assertThat(report.findings()).isEmpty();
        }

        @Test
        void aPairOutsideTheEnvelopeFailsWithBothNumbers() {
            FabricReport report = new Fabric(4).envelope(HBV3).slower(pair -> 2).report();

            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.FAILED);
            assertThat(report.verdict().reasons())
                    .hasSize(6)
                    .allMatch(reason -> reason.matches(
                            "pair node\\d - node\\d: \\d+ bytes took 3\\.\\d\\d us, over the limit of 2\\.3[89] us up to 8 bytes"
                                    + " \\(1\\.59 us of MPI published for HB120rs_v3, plus 50 %\\); 9\\d\\.\\d Gb/s at best, below the limit of"
                                    + " 156\\.8 Gb/s \\(196\\.0 Gb/s of MPI published for HB120rs_v3, less 20 %\\)"));
            assertThat(report.succeeded()).isFalse();
        }

        @Test
        void aSlowNodeFailsTheRunEvenWithinTheEnvelope() {
            FabricReport report = new Fabric(6)
                    .slower(pair -> pair.has(Nodes.node(3)) ? 1.6 : 1)
                    .report();

            assertThat(report.slowNodes()).extracting(Outlier::what).containsOnly(Nodes.node(3));
            assertThat(report.slowPairs()).isEmpty();
            assertThat(report.verdict().reasons())
                    .hasSize(2)
                    .allMatch(reason -> reason.startsWith("node node3 is slow: 5 of"));
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-034", "CW-MPI-034");
        }

        @Test
        void aSlowLinkFailsTheRun() {
            FabricReport report = new Fabric(6)
                    .slower(pair -> pair.equals(Nodes.pair(2, 5)) ? 1.6 : 1)
                    .report();

            assertThat(report.slowNodes()).isEmpty();
            assertThat(report.slowPairs()).extracting(Outlier::what).containsOnly(Nodes.pair(2, 5));
            assertThat(report.succeeded()).isFalse();
        }

        @Test
        void tcpFailsTheRunWhateverTheTimes() {
            FabricReport report = new Fabric(3).transport(Fabric.TCP).report();

            assertThat(report.verdict())
                    .isEqualTo(new Verdict(
                            Verdict.Status.FAILED,
                            List.of("MPI fell back to TCP (tcp/eth0) although these nodes report sriov-infiniband")));
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-030");
            assertThat(report.findings().get(0).message()).endsWith("tag(tcp/eth0)");
        }

        @Test
        void anUnknownTransportIsNeverAPass() {
            FabricReport report = new Fabric(3).transport(Transport.unknown()).report();

            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.NOT_JUDGED);
            assertThat(report.succeeded()).isFalse();
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-031");
        }

        @Test
        void aTransportThatWasNamedInARunThatFailedIsNotProven() throws Exception {
            FabricReport report =
                    new Fabric(2).transportProblem("Couldn't register MR").report();

            String reason = "pair node1 - node2: the run that reads MPI's transport failed: Couldn't register MR";
            assertThat(report.verdict()).isEqualTo(Verdict.notJudged(reason));
            assertThat(report.succeeded()).isFalse();
            assertThat(report.toMap().toString()).contains("\"transportProblem\":\"Couldn't register MR\"");
            assertThat(report.toJunitXml()).contains("<skipped").contains("Couldn't register MR");
        }

        @Test
        void aFailedTransportRunDoesNotHideThatMpiFellBackToTcp() {
            FabricReport report = new Fabric(2)
                    .transport(Fabric.TCP)
                    .transportProblem("it ended with exit status 1")
                    .report();

            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.FAILED);
        }

        @Test
        void aBrokenPairIsNamedAndTheOthersAreJudged() {
            FabricReport report = new Fabric(5).broken(Nodes.pair(1, 4)).report();

            assertThat(report.pairs())
                    .hasSize(10)
                    .filteredOn(PairResult::measured)
                    .hasSize(9);
            assertThat(report.brokenNodes()).isEmpty();
            assertThat(report.verdict().reasons()).containsExactly("pair node1 - node4: no route to host");
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-033");
        }

        @Test
        void aNodeThatNobodyReachesIsNamedOnceAndNotItsPairs() {
            FabricReport report = new Fabric(5).without(Nodes.node(4)).report();

            assertThat(report.brokenNodes()).containsExactly(Nodes.node(4));
            assertThat(report.verdict().reasons()).containsExactly("every pair with node node4 failed");
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-032");
        }
    }

    @Nested
    class OverRails {
        @Test
        void eachPairIsMeasuredOverEachRailByTheDevicesOfItsNodes() {
            FabricReport report = new Fabric(4).ring().rails(4).report();

            assertThat(report.pairs()).hasSize(16);
            assertThat(report.pairs().get(15).rails())
                    .extracting(Rail::toString)
                    .containsExactly("rail 4 (mlx5_ib3:1) of node node4", "rail 4 (mlx5_3:1) of node node1");
            assertThat(report.verdict().reasons()).contains("4 pairs are within the envelope over each of 4 rails");
            assertThat(report.succeeded()).isTrue();
            assertThat(report.toTable()).contains("node1 - node2 over rail 3 (mlx5_2:1 - mlx5_ib2:1)");
        }

        @Test
        void onePortIsNoRail() {
            FabricReport report = new Fabric(4).rails(1).report();

            assertThat(report.pairs()).hasSize(6).allMatch(pair -> pair.rails().isEmpty());
        }

        @ParameterizedTest
        @ValueSource(ints = {3, 4, 8})
        void aSlowRailOfOneNodeIsNamedByNodeAndDevice(int nodes) {
            FabricReport report = new Fabric(nodes)
                    .ring()
                    .rails(8)
                    .slowerRail(end -> end.equals(new Rail(Nodes.node(2), 5, "mlx5_ib4:1")) ? 1.6 : 1)
                    .report();

            assertThat(report.slowNodes()).isEmpty();
            assertThat(report.slowRails())
                    .extracting(Outlier::what)
                    .containsOnly(new Rail(Nodes.node(2), 5, "mlx5_ib4:1"));
            assertThat(report.verdict().reasons())
                    .hasSize(2)
                    .allMatch(reason -> reason.startsWith(
                            "rail 5 (mlx5_ib4:1) of node node2 is slow: 2 of its 2 pairs are slow, with a typical"));
            assertThat(report.findings()).extracting(Finding::code).containsOnly("CW-MPI-038");
        }

        @Test
        void aSlowRailBetweenTwoNodesIsNamedWithBothDevices() {
            FabricReport report = new Fabric(2)
                    .ring()
                    .rails(4)
                    .slowerRail(end -> end.number() == 2 ? 1.6 : 1)
                    .report();

            assertThat(report.slowPairs()).extracting(Outlier::what).containsOnly(Nodes.pair(1, 2));
            assertThat(report.verdict().reasons())
                    .allMatch(reason ->
                            reason.startsWith("pair node1 - node2 over rail 2 (mlx5_1:1 - mlx5_ib1:1) is slow:"));
        }

        @Test
        void aNodeThatIsSlowOverAllRailsIsNamedOnceAndNotItsRails() {
            FabricReport report = new Fabric(3)
                    .ring()
                    .rails(4)
                    .slower(pair -> pair.has(Nodes.node(3)) ? 1.6 : 1)
                    .report();

            assertThat(report.slowNodes()).extracting(Outlier::what).containsOnly(Nodes.node(3));
            assertThat(report.slowRails()).isEmpty();
        }

        @Test
        void aDeadRailIsNamedByNodeAndDeviceInEveryForm() throws Exception {
            FabricReport report = new Fabric(4)
                    .ring()
                    .rails(4)
                    .brokenRail(end -> end.number() == 3 && end.node().equals(Nodes.node(2)))
                    .report();

            Rail dead = new Rail(Nodes.node(2), 3, "mlx5_ib2:1");
            String named = "rail 3 (mlx5_ib2:1) of node node2 carries no messages: no route to host";
            assertThat(report.brokenRails()).containsExactly(dead);
            assertThat(report.brokenNodes()).isEmpty();
            assertThat(report.verdict()).isEqualTo(new Verdict(Verdict.Status.FAILED, List.of(named)));
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-037");
            assertThat(report.toTable()).contains(named);
            assertThat(report.toSvg()).contains(named);
            assertThat(report.toJunitXml()).contains("node1 - node2 over rail 3 (mlx5_2:1 - mlx5_ib2:1)");
            ObjectMapper mapper = new ObjectMapper();
            JsonNode json = mapper.readTree(mapper.writeValueAsString(report.toMap()));
            assertThat(json.at("/brokenRails/0").toString())
                    .isEqualTo(
                            "{\"node\":\"node2\",\"rail\":3,\"device\":\"mlx5_ib2:1\",\"reason\":\"no route to host\"}");
            assertThat(json.at("/pairs/0/rail").asInt()).isEqualTo(1);
            assertThat(json.at("/pairs/0/devices"))
                    .extracting(JsonNode::asText)
                    .containsExactly("mlx5_0:1", "mlx5_ib0:1");
        }

        private static FabricReport between(String first, String second) {
            return new Fabric(2)
                    .ring()
                    .rails(FabricRails.parse(Map.of(Nodes.node(1), first, Nodes.node(2), second)))
                    .report();
        }

        @Test
        void aPortThatIsDownIsKnownBetweenTwoNodesToo() {
            FabricReport report = between(Fabric.listing("mlx5_", 4, 0), Fabric.listing("mlx5_ib", 4, 4));

            assertThat(report.verdict().reasons())
                    .containsExactly(
                            "rail 4 (mlx5_ib3:1) of node node2 carries no messages: the state of its port is DOWN");
            assertThat(report.pairs()).filteredOn(PairResult::measured).hasSize(3);
        }

        @Test
        void aNodeWithFewerPortsThanTheOthersIsNamed() {
            FabricReport report = between(Fabric.listing("mlx5_", 8, 0), Fabric.listing("mlx5_ib", 7, 0));

            assertThat(report.verdict().reasons())
                    .containsExactly(
                            "rail 8 (none) of node node2 carries no messages: the node has 7 InfiniBand ports, and others have 8");
        }
    }

    @Nested
    class WithoutRdma {
        private final Fabric tcp = new Fabric(4).interconnect(Interconnect.NONE).transport(Fabric.TCP);

        @Test
        void verdictNamesAFailedTransportRun() {
            FabricReport report = tcp.ring().transportProblem("no MPI").report();

            assertThat(report.verdict().reasons())
                    .startsWith("TCP: no RDMA device on these nodes")
                    .contains("pair node1 - node2: the run that reads MPI's transport failed: no MPI");
            assertThat(report.succeeded()).isTrue();
        }

        @Test
        void thereIsNothingToJudge() {
            FabricReport report = tcp.report();

            assertThat(report.verdict()).isEqualTo(Verdict.notJudged("TCP: no RDMA device on these nodes"));
            assertThat(report.succeeded()).isTrue();
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-MPI-036");
        }

        @Test
        void aSlowNodeIsNamedWithoutFailingTheRun() {
            FabricReport report =
                    tcp.slower(pair -> pair.has(Nodes.node(2)) ? 5 : 1).report();

            assertThat(report.slowNodes()).extracting(Outlier::what).containsOnly(Nodes.node(2));
            assertThat(report.succeeded()).isTrue();
            assertThat(report.findings()).extracting(Finding::code).contains("CW-MPI-034");
        }

        @Test
        void aPairThatCannotBeMeasuredFailsTheRun() {
            FabricReport report = tcp.broken(Nodes.pair(2, 3)).report();

            assertThat(report.verdict().status()).isEqualTo(Verdict.Status.FAILED);
            assertThat(report.succeeded()).isFalse();
        }
    }

    @Test
    void jsonHasWhatThePairsGave() throws Exception {
        FabricReport report = new Fabric(4)
                .slower(pair -> pair.equals(Nodes.pair(1, 2)) ? 3 : 1)
                .broken(Nodes.pair(3, 4))
                .report();

        ObjectMapper mapper = new ObjectMapper();
        JsonNode json = mapper.readTree(mapper.writeValueAsString(report.toMap()));

        assertThat(json.path("rounds")).hasSize(3);
        assertThat(json.path("pairs")).hasSize(6);
        for (JsonNode pair : json.path("pairs")) {
            boolean measured = pair.path("measured").asBoolean();
            assertThat(pair.has("latencyMicros")).isEqualTo(measured);
            assertThat(pair.has("problem")).isEqualTo(!measured);
        }
        assertThat(json.at("/slowPairs/0/nodes")).extracting(JsonNode::asText).containsExactly("node1", "node2");
        assertThat(json.at("/slowPairs/0/factor").asDouble()).isBetween(2.8, 3.2);
        assertThat(json.at("/transport/kind").asText()).isEqualTo("rdma");
        assertThat(json.at("/verdict/status").asText()).isEqualTo("failed");
        assertThat(json.at("/envelope/upToBytes").asInt()).isEqualTo(512);
    }

    @Nested
    class JunitXml {
        @Test
        void keepsTheSchemaAndCountsItsCases() throws Exception {
            for (FabricReport report : List.of(
                    new Fabric(4).report(),
                    new Fabric(2).ring().report(),
                    new Fabric(3).transport(Fabric.TCP).report(),
                    new Fabric(4)
                            .interconnect(Interconnect.NONE)
                            .transport(Fabric.TCP)
                            .report(),
                    new Fabric(5).without(Nodes.node(4)).report(),
                    new Fabric(4)
                            .transport(new Transport(Transport.Kind.TCP, List.of("<&\"\u0000>"), ""))
                            .report())) {
                Element suite = suite(report.toJunitXml());

                assertThat(cases(suite, "failure")).isEqualTo(Integer.parseInt(suite.getAttribute("failures")));
                assertThat(cases(suite, "skipped")).isEqualTo(Integer.parseInt(suite.getAttribute("skipped")));
                assertThat(suite.getElementsByTagName("testcase").getLength())
                        .isEqualTo(Integer.parseInt(suite.getAttribute("tests")))
                        .isEqualTo(report.pairs().size() + 2);
                assertThat(Integer.parseInt(suite.getAttribute("failures")) == 0)
                        .isEqualTo(report.succeeded());
            }
        }

        @Test
        void namesTheBrokenPair() throws Exception {
            Element suite =
                    suite(new Fabric(5).broken(Nodes.pair(1, 4)).report().toJunitXml());

            Element failure = (Element) suite.getElementsByTagName("failure").item(0);
            assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo("node1 - node4");
            assertThat(failure.getAttribute("message")).isEqualTo("no route to host");
        }

        private int cases(Element suite, String kind) {
            return suite.getElementsByTagName(kind).getLength();
        }

        private Element suite(String xml) throws Exception {
            SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(FabricReportTest.class.getResource("junit.xsd"))
                    .newValidator()
                    .validate(new StreamSource(new StringReader(xml)));
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)));
            return (Element) document.getElementsByTagName("testsuite").item(0);
        }
    }
}
