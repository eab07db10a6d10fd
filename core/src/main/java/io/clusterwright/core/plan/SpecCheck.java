package io.clusterwright.core.plan;

import io.clusterwright.core.internal.finding.ReadingFinding;
import io.clusterwright.core.internal.finding.ReadingFindings;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import java.nio.file.Path;
import java.util.List;

/** Says what is wrong with a description, without asking anybody and without making anything. */
public final class SpecCheck {
    private SpecCheck() {}

    /** What all rules find that need nothing but the catalogs, without what the description suppresses. */
    public static List<Finding> offline(ClusterSpec spec) {
        return RuleBook.offline(spec);
    }

    /**
     * Reads a description and applies {@linkplain #offline(ClusterSpec) every offline rule}. What keeps it from being read is
     * told as findings, too.
     */
    public static Result offline(Path file) {
        try {
            return new Result(offline(SpecReader.read(file)), List.of());
        } catch (InvalidSpecException e) {
            return refused(e);
        }
    }

    /** What a refusal to read or to merge a description says, as findings. */
    public static Result refused(InvalidSpecException refusal) {
        return new Result(List.of(), ReadingFindings.of(refusal));
    }

    /**
     * What was found.
     *
     * @param findings what rules found; empty when the description could not be read
     * @param reading what keeps the description from being read
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

        /** Whether the description can be read and no finding is an error. */
        public boolean valid() {
            return reading.isEmpty() && findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        }
    }
}
