package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.FabricReport;
import io.clusterwright.mpi.check.PairResult;
import io.clusterwright.mpi.check.FabricReport.Outlier;
import java.io.StringWriter;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A report as JUnit XML, in the strict form of Ant's report that every reader of such files takes. */
final class FabricJunit {
    private static final String SUITE = "clusterwright.fabric";

    private FabricJunit() {}

    static String of(FabricReport report) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            line(xml, 0);
            write(xml, report, cases(report));
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("cannot write XML into a string", e);
        }
        return text.append('\n').toString();
    }

    private static void write(XMLStreamWriter xml, FabricReport report, List<Case> cases) throws XMLStreamException {
        long failures = cases.stream().filter(one -> one.state == State.FAILED).count();
        long skipped = cases.stream().filter(one -> one.state == State.SKIPPED).count();
        xml.writeStartElement("testsuites");
        line(xml, 1);
        xml.writeStartElement("testsuite");
        xml.writeAttribute("id", "0");
        xml.writeAttribute("package", SUITE);
        xml.writeAttribute("name", clean(report.kind() + " of " + report.nodes().size() + " nodes"));
        xml.writeAttribute(
                "timestamp",
                DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                        report.start().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC)));
        xml.writeAttribute("hostname", report.nodes().get(0).value());
        xml.writeAttribute("tests", Integer.toString(cases.size()));
        xml.writeAttribute("failures", Long.toString(failures));
        xml.writeAttribute("errors", "0");
        xml.writeAttribute("skipped", Long.toString(skipped));
        xml.writeAttribute("time", seconds(report.duration()));
        line(xml, 2);
        properties(xml, report);
        for (Case one : cases) {
            write(xml, one);
        }
        text(xml, "system-out", report.toTable());
        text(xml, "system-err", "");
        line(xml, 1);
        xml.writeEndElement();
        line(xml, 0);
        xml.writeEndElement();
    }

    private static void properties(XMLStreamWriter xml, FabricReport report) throws XMLStreamException {
        xml.writeStartElement("properties");
        property(xml, "interconnect", report.interconnect().toString());
        property(xml, "transport", report.transport().toString());
        property(xml, "verdict", report.verdict().status().key());
        line(xml, 2);
        xml.writeEndElement();
    }

    private static void property(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        line(xml, 3);
        xml.writeEmptyElement("property");
        xml.writeAttribute("name", name);
        xml.writeAttribute("value", clean(value));
    }

    private static List<Case> cases(FabricReport report) {
        List<Case> cases = new ArrayList<>();
        report.hostnames()
                .ifPresent(hostnames -> cases.add(new Case(
                        "checks",
                        "hostname",
                        hostnames.result().duration(),
                        hostnames.passed() ? State.PASSED : State.FAILED,
                        hostnames.passed() ? "" : "no rank answered from " + hostnames.silent())));
        Verdict way = report.transport().judge(report.interconnect());
        List<String> ways = new ArrayList<>(way.reasons());
        List<String> problems = FabricJudge.transportProblems(report.pairs());
        ways.addAll(problems);
        State named = problems.isEmpty() || !way.passed() ? State.of(way) : State.SKIPPED;
        cases.add(new Case("checks", "transport", Duration.ZERO, named, String.join("; ", ways)));
        List<String> slow = Stream.concat(
                        report.slowNodes().stream().map(Outlier::reason),
                        report.slowPairs().stream().map(Outlier::reason))
                .toList();
        boolean judged = report.interconnect().isRdma();
        cases.add(new Case(
                "checks",
                "outliers",
                Duration.ZERO,
                slow.isEmpty() ? State.PASSED : judged ? State.FAILED : State.SKIPPED,
                String.join("; ", slow)));
        report.pairs().stream().map(FabricJunit::of).forEach(cases::add);
        return cases;
    }

    /** A pair that was measured over TCP has done all that was asked of it; over RDMA it must keep its envelope. */
    private static Case of(PairResult pair) {
        Verdict verdict = pair.verdict();
        boolean unjudgedTcp = verdict.status() == Verdict.Status.NOT_JUDGED
                && verdict.equals(Verdict.notJudged(LatencyEnvelope.NO_RDMA));
        return new Case(
                "pairs",
                pair.pair().toString(),
                pair.duration(),
                unjudgedTcp ? State.PASSED : State.of(verdict),
                String.join("; ", verdict.reasons()));
    }

    private static void write(XMLStreamWriter xml, Case one) throws XMLStreamException {
        line(xml, 2);
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", SUITE + "." + one.group);
        xml.writeAttribute("name", clean(one.name));
        xml.writeAttribute("time", seconds(one.time));
        if (one.state == State.FAILED) {
            xml.writeStartElement("failure");
            xml.writeAttribute("message", clean(one.message));
            xml.writeAttribute("type", "verdict");
            xml.writeCharacters(clean(one.message));
            xml.writeEndElement();
        } else if (one.state == State.SKIPPED) {
            xml.writeEmptyElement("skipped");
            xml.writeAttribute("message", clean(one.message));
        }
        xml.writeEndElement();
    }

    private static void text(XMLStreamWriter xml, String name, String text) throws XMLStreamException {
        line(xml, 2);
        xml.writeStartElement(name);
        xml.writeCharacters(clean(text));
        xml.writeEndElement();
    }

    private static void line(XMLStreamWriter xml, int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    }

    /** Replaces characters that XML 1.0 cannot hold. */
    private static String clean(String text) {
        return text.replaceAll("[^\\t\\n\\x20-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]", "\uFFFD");
    }

    private record Case(String group, String name, Duration time, State state, String message) {}

    private enum State {
        PASSED,
        FAILED,
        SKIPPED;

        static State of(Verdict verdict) {
            return switch (verdict.status()) {
                case PASSED -> PASSED;
                case FAILED -> FAILED;
                case NOT_JUDGED -> SKIPPED;
            };
        }
    }
}
