package io.clusterwright.mpi.fabric;

import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.internal.plot.Svg;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as JUnit XML, in the strict form of Ant's report that every reader of such files takes. */
final class FabricJunit {
    private static final String SUITE = "clusterwright.fabric";

    private FabricJunit() {}

    static String of(FabricReport report) {
        List<Case> cases = cases(report);
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite id="0" package="%s" name="%s of %d nodes" timestamp="%s" hostname="%s" tests="%d" failures="%d" errors="0" \
                skipped="%d" time="%s">
                    <properties>
                      <property name="interconnect" value="%s"/>
                      <property name="transport" value="%s"/>
                      <property name="verdict" value="%s"/>
                    </properties>%s
                    <system-out>%s</system-out>
                    <system-err></system-err>
                  </testsuite>
                </testsuites>
                """.formatted(
                        SUITE,
                        Svg.escape(report.kind()),
                        report.nodes().size(),
                        DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                                report.start().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC)),
                        report.nodes().get(0),
                        cases.size(),
                        count(cases, State.FAILED),
                        count(cases, State.SKIPPED),
                        seconds(report.duration()),
                        report.interconnect(),
                        Svg.escape(report.transport().toString()),
                        report.verdict().status().key(),
                        cases.stream().map(FabricJunit::xml).collect(Collectors.joining()),
                        Svg.escape(report.toTable()));
    }

    private static long count(List<Case> cases, State state) {
        return cases.stream().filter(one -> one.state == state).count();
    }

    private static String xml(Case one) {
        String message = Svg.escape(one.message);
        return "\n    <testcase classname=\"" + SUITE + "." + one.group + "\" name=\"" + Svg.escape(one.name)
                + "\" time=\""
                + seconds(one.time) + "\">"
                + switch (one.state) {
                    case PASSED -> "";
                    case FAILED -> "<failure message=\"" + message + "\" type=\"verdict\">" + message + "</failure>";
                    case SKIPPED -> "<skipped message=\"" + message + "\"/>";
                }
                + "</testcase>";
    }

    private static List<Case> cases(FabricReport report) {
        List<Case> cases = new ArrayList<>();
        report.hostnames()
                .ifPresent(hostnames -> cases.add(new Case(
                        "checks",
                        "hostname",
                        hostnames.result().duration(),
                        hostnames.succeeded() ? State.PASSED : State.FAILED,
                        hostnames.succeeded() ? "" : "no rank answered from " + hostnames.silent())));
        Verdict way = report.transport().judge(report.interconnect());
        List<String> ways = new ArrayList<>(way.reasons());
        List<String> problems = FabricJudge.transportProblems(report.pairs());
        ways.addAll(problems);
        State named = problems.isEmpty() || !way.succeeded() ? State.of(way) : State.SKIPPED;
        cases.add(new Case("checks", "transport", Duration.ZERO, named, String.join("; ", ways)));
        List<String> slow = Stream.of(report.slowNodes(), report.slowPairs(), report.slowRails())
                .flatMap(List::stream)
                .map(Outlier::reason)
                .toList();
        State outliers = report.interconnect().isRdma() ? State.FAILED : State.SKIPPED;
        cases.add(new Case(
                "checks",
                "outliers",
                Duration.ZERO,
                slow.isEmpty() ? State.PASSED : outliers,
                String.join("; ", slow)));
        report.pairs().stream().map(FabricJunit::of).forEach(cases::add);
        return cases;
    }

    /** A pair that was measured over TCP has done all that was asked of it; over RDMA it must keep its envelope. */
    private static Case of(PairResult pair) {
        boolean tcp = pair.verdict().equals(Verdict.notJudged(LatencyEnvelope.NO_RDMA));
        return new Case(
                "pairs",
                MeasuredPair.name(pair),
                pair.duration(),
                tcp ? State.PASSED : State.of(pair.verdict()),
                String.join("; ", pair.verdict().reasons()));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
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
