package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.finding.ReadingFinding;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.examples.console.Style;

/** Findings for people, one line and its remedy each. */
final class FindingLines {
    private FindingLines() {}

    static void print(Common common, String spec, ReadingFinding problem) {
        String place = problem.line().isPresent()
                ? spec + ":" + problem.line().getAsInt() + ":"
                        + problem.column().orElse(1) + ": "
                : spec + ": ";
        print(common, place, problem.finding());
    }

    static void print(Common common, String place, Finding finding) {
        String severity = finding.severity().name();
        String painted = switch (finding.severity()) {
            case ERROR -> Style.bad(severity);
            case WARNING -> Style.warn(severity);
            case INFO -> Style.dim(severity);
        };
        String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
        common.out.println(painted + " " + finding.code() + " " + place + path + finding.message());
        common.out.println("    -> " + finding.remedy());
    }
}
