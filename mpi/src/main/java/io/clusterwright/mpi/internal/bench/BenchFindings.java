package io.clusterwright.mpi.internal.bench;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.mpi.bench.RateUnit;
import io.clusterwright.mpi.internal.output.LineSplitter.Line;

/** Every finding the parsers make; one code each. */
final class BenchFindings {
    private BenchFindings() {}

    static Finding unitDiffers(Line line, String tool, RateUnit expected, RateUnit measured) {
        return at(
                "CW-BENCH-001",
                Severity.WARNING,
                line,
                tool + " should print " + expected.symbol() + ", but bytes divided by time give " + measured.symbol()
                        + "; the rates are read as " + measured.symbol(),
                "trust bytesPerSecond; the title may belong to another build of the benchmark");
    }

    static Finding cutRow(Line line) {
        return at(
                "CW-BENCH-002",
                Severity.WARNING,
                line,
                "a row is incomplete and was left out: \"" + shorten(line.text()) + "\"",
                "look for other output mixed into the table, or for a run that was cut short");
    }

    static Finding contradictoryRow(Line line) {
        return at(
                "CW-BENCH-003",
                Severity.WARNING,
                line,
                "a row was left out because its bytes, time and rate contradict each other: \"" + shorten(line.text())
                        + "\"",
                "look for other output mixed into the table");
    }

    static Finding outOfOrder(Line line) {
        return at(
                "CW-BENCH-004",
                Severity.WARNING,
                line,
                "a row was left out because its size does not follow the row before: \"" + shorten(line.text()) + "\"",
                "look for other output mixed into the table");
    }

    static Finding tooFewProcesses(Line line, String benchmark, String processes) {
        return at(
                "CW-BENCH-005",
                Severity.ERROR,
                line,
                benchmark + " was started in a world of " + processes
                        + " process(es) and measured nothing; this is what the launcher of another MPI does",
                "start it with the mpirun of the MPI it was built with");
    }

    static Finding sizeTimedOut(Line line, String bytes) {
        return at(
                "CW-BENCH-006",
                Severity.WARNING,
                line,
                "the benchmark gave up at " + bytes + " bytes because its time limit had passed",
                "give it more time (IMB: -time SECONDS)");
    }

    static Finding validationFailed(Line line) {
        return at(
                "CW-BENCH-007",
                Severity.ERROR,
                line,
                "the benchmark found wrong data in what it received: \"" + shorten(line.text()) + "\"",
                "do not trust this fabric; run the benchmark on each pair of nodes to find the faulty one");
    }

    static Finding unknownColumns(Line line) {
        return at(
                "CW-BENCH-008",
                Severity.WARNING,
                line,
                "a table was left out because the titles of its columns say nothing known: \"" + shorten(line.text())
                        + "\"",
                "look for other output mixed into the titles");
    }

    static Finding unprovenFormat(Line line) {
        return at(
                "CW-BENCH-009",
                Severity.INFO,
                line,
                "the format of mpipingpong is not published: numbers are read where a line names what they are and their unit",
                "compare with the text before relying on them");
    }

    private static Finding at(String code, Severity severity, Line line, String message, String remedy) {
        return new Finding(code, severity, "line " + line.number(), message, remedy);
    }

    private static String shorten(String text) {
        String printable = text.strip().replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= 80 ? printable : printable.substring(0, 77) + "...";
    }
}
