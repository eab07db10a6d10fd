package io.clusterwright.core.plan;

import io.clusterwright.core.internal.finding.ReadingFindings;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import java.nio.file.Path;
import java.util.List;

/** Validates a spec offline: queries no provider and makes nothing. */
public final class SpecCheck {
    private SpecCheck() {}

    /** The findings of all rules that need only the catalogs, without those that the spec suppresses. */
    public static List<Finding> offline(ClusterSpec spec) {
        return RuleBook.offline(spec);
    }

    /**
     * Reads a spec and applies {@linkplain #offline(ClusterSpec) every offline rule}. Problems of reading are reported
     * as findings, too.
     */
    public static Result offline(Path file) {
        try {
            return of(SpecReader.read(file));
        } catch (InvalidSpecException e) {
            return refused(e);
        }
    }

    /** The findings of {@linkplain #offline(ClusterSpec) every offline rule}; a missing value has its place in the text. */
    public static Result of(ClusterSpec spec) {
        List<Finding> found = offline(spec);
        List<ReadingFinding> missing = found.stream()
                .filter(SpecCheck::isOfReading)
                .map(finding -> spec.located(SpecProblem.of(finding.path(), finding.message(), finding.remedy())))
                .map(ReadingFindings::of)
                .toList();
        return new Result(
                found.stream().filter(finding -> !isOfReading(finding)).toList(), missing);
    }

    private static boolean isOfReading(Finding finding) {
        return finding.code().startsWith("CW-READ-");
    }

    /** The problems of reading or merging a spec, as findings. */
    public static Result refused(InvalidSpecException refusal) {
        return new Result(List.of(), ReadingFindings.of(refusal));
    }

    /**
     * The findings of a validation.
     *
     * @param findings those of the rules; empty when the spec could not be read
     * @param reading the problems of reading the spec
     */
    public record Result(List<Finding> findings, List<ReadingFinding> reading) {
        /** Copies the lists. */
        public Result {
            findings = List.copyOf(findings);
            reading = List.copyOf(reading);
        }

        /** The same with only the findings of this severity and worse. Errors always stay. */
        public Result atLeast(Severity least) {
            return new Result(
                    findings.stream()
                            .filter(finding -> finding.severity().compareTo(least) <= 0)
                            .toList(),
                    reading);
        }

        /** Whether the spec can be read and no finding is an error. */
        public boolean valid() {
            return reading.isEmpty() && findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        }
    }
}
